package dev.onejob.domain;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One try at one provider, whole, as it is read.
 *
 * @param unqualified why its provider had not proved itself, where a person started it all the same
 * @param providerKey the key that the provider gets, the same for the same attempt for ever
 * @param providerRef the provider's own id of the work, once known
 * @param node the node that holds the lease, or gave it to a worker
 * @param worker the worker that fetched it, by its name; null where a node works on it
 * @param leaseUntil null once ended or in doubt
 * @param failure why it failed, or what raised the doubt; null while there is nothing to say
 * @param lostTo the attempt that had claimed the slot, if this one was lost
 * @param probing how its provider is asked about it; null if it never was to be
 * @param cost null while nothing is known of it
 * @param breach how its answer broke the contract, if that is why it failed
 */
public record Attempt(
    AttemptStanding standing,
    JobId jobId,
    Owner owner,
    StartCause cause,
    Objection.@Nullable Reason unqualified,
    String providerKey,
    @Nullable String providerRef,
    String node,
    @Nullable String worker,
    @Nullable Instant leaseUntil,
    @Nullable Instant acceptedAt,
    @Nullable Instant unknownAt,
    @Nullable Instant endedAt,
    @Nullable Failure failure,
    @Nullable AttemptId lostTo,
    @Nullable Cost cost,
    @Nullable Probing probing,
    List<Resolution> resolutions,
    List<Evidence> evidence,
    @Nullable ContractBreach breach) {}

-- Posts jobs, each under a key of its own. Arguments: API key, prefix of the idempotency keys, input.
local threads = 0

function setup(thread)
  thread:set("number", threads)
  threads = threads + 1
end

function init(args)
  sent = 0
  prefix = args[2] .. "-" .. number .. "-"
  body = '{"kind":"bench","input":' .. args[3] .. "}"
  headers = {
    ["Authorization"] = "Bearer " .. args[1],
    ["Content-Type"] = "application/json",
    ["Prefer"] = "return=minimal",
  }
end

function request()
  sent = sent + 1
  headers["Idempotency-Key"] = prefix .. sent
  return wrk.format("POST", "/v1/jobs", headers, body)
end

function done(summary, latency, requests)
  local errors = summary.errors
  io.write(string.format(
    "figures %d %d %d %d\n", summary.requests, summary.duration,
    errors.connect + errors.read + errors.write + errors.status + errors.timeout,
    latency:percentile(50)))
end

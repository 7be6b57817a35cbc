-- Posts jobs, each under a key of its own, which is in a header and in the body.
-- Arguments: name of the header, prefix of the keys, a sample body whose key is the prefix and nine noughts.
local threads = 0

function setup(thread)
  thread:set("number", threads)
  threads = threads + 1
end

function init(args)
  sent = number * 100000000
  header = args[1]
  prefix = args[2]
  local from, to = args[3]:find(prefix .. "000000000", 1, true)
  before = args[3]:sub(1, from - 1)
  after = args[3]:sub(to + 1)
  headers = { ["Content-Type"] = "application/json" }
end

function request()
  sent = sent + 1
  local key = string.format("%s%09d", prefix, sent)
  headers[header] = key
  return wrk.format("POST", nil, headers, before .. key .. after)
end

function done(summary, latency, requests)
  local errors = summary.errors
  io.write(string.format(
    "figures %d %d %d %d %d %d %d %d\n", summary.requests, summary.duration,
    errors.connect + errors.read + errors.write + errors.status + errors.timeout,
    latency:percentile(50), latency:percentile(90), latency:percentile(99),
    latency:percentile(99.9), latency.max))
end

-- Posts payloads of 500 bytes at a door. Arguments: header of the key, prefix of the keys, what stands before
-- and after a payload, how many different keys (0: no end), how often in a row each is sent, then more headers:
-- name, value, name, value …
local text = string.rep("the quick brown fox jumps over the lazy dog ", 12)
local rest = '","page":17,"languages":["eng","deu"],"scale":1.25,"scan":true,"text":"'

function init(args)
  sent = 0
  key_header, prefix, before, after = args[1], args[2], args[3], args[4]
  keys, copies = tonumber(args[5]), tonumber(args[6])
  headers = { ["Content-Type"] = "application/json" }
  for i = 7, #args, 2 do
    headers[args[i]] = args[i + 1]
  end
end

function request()
  local number = math.floor(sent / copies)
  if keys > 0 then
    number = number % keys
  end
  sent = sent + 1
  local key = prefix .. "-" .. string.format("%d", number)
  local fill = 500 - 8 - #key - #rest - 2
  headers[key_header] = key
  return wrk.format("POST", nil, headers,
    before .. '{"key":"' .. key .. rest .. text:sub(1, fill) .. '"}' .. after)
end

function done(summary, latency, requests)
  local errors = summary.errors
  io.write(string.format(
    "figures %d %d %d %d %d\n", summary.requests, summary.duration,
    errors.connect + errors.read + errors.write + errors.status + errors.timeout,
    latency:percentile(50), latency:percentile(99)))
end

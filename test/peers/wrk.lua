-- Asks for random numbers. Arguments: path, content type, SOAPAction, what stands
-- before and after the number in the body, first number, how many there are, seed.
local before, after, first, count, random = "", "", 0, 1, math.random

local threads = 0

function setup(thread)
  threads = threads + 1
  thread:set("thread_number", threads)
end

function init(arguments)
  local path, kind, action, head, tail = unpack(arguments, 1, 5)
  first, count = tonumber(arguments[6]), tonumber(arguments[7])
  math.randomseed(tonumber(arguments[8]) * 1000 + thread_number)
  local length = #head + #tostring(first) + #tail
  local headers = {"POST " .. path .. " HTTP/1.1", "Host: " .. wrk.host, "Content-Type: " .. kind, "Content-Length: " .. length}
  if action ~= "" then
    headers[#headers + 1] = 'SOAPAction: "' .. action .. '"'
  end
  before, after = table.concat(headers, "\r\n") .. "\r\n\r\n" .. head, tail
end

-- Joining three strings is cheap, and costs the same whoever answers.
function request()
  return before .. (first + random(0, count - 1)) .. after
end

-- One line for the program that started wrk: counts, microseconds, errors.
function done(summary, latency)
  local errors = summary.errors
  print(string.format("figures %d %d %d %d %d %d %d %d %d",
    summary.requests, summary.duration, latency:percentile(50), latency:percentile(99),
    errors.connect, errors.read, errors.write, errors.timeout, errors.status))
end

#if Redis
/// The scripts of limits. Times are microseconds of the server's clock, so that the clocks of processes do not matter.
enum LimitScripts {
    /// Numbers are written as texts, because Lua shortens large ones.
    private static let begin = """
        local time = redis.call('TIME')
        local now = time[1] * 1000000 + time[2]
        -- A clock that was set back, or that of a replica, would make all wait for the difference.
        local back = math.max(tonumber(redis.call('HGET', KEYS[1], 'at') or 0) - now, 0)
        local function get(field) return tonumber(redis.call('HGET', KEYS[1], field) or 0) - back end
        local function set(field, instant)
            local other = field == 'full' and 'held' or 'full'
            if back > 0 then redis.call('HSET', KEYS[1], other, string.format('%.3f', get(other))) end
            redis.call('HSET', KEYS[1], field, string.format('%.3f', instant), 'at', string.format('%.0f', now))
            back = 0
            local rest = math.ceil((instant - now) / 1000) + 1000
            if rest > redis.call('PTTL', KEYS[1]) then redis.call('PEXPIRE', KEYS[1], rest) end
        end

        """

    /// The generic cell rate algorithm (ITU-T I.371), as `RateLimiter` of TarmacTraffic has it: `full` is the time at which the bucket is
    /// full again, `held` the one before which the API wants no request. Returns whether the turn is too late, and the wait for it.
    static let take = RedisScript(
        begin + """
            local interval, lead, limit = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
            local start = math.max(now, get('held'))
            local base = math.max(get('full'), start)
            local turn = math.max(base - lead, start)
            local wait = math.ceil(turn - now)
            if wait > 0 and limit >= 0 and wait >= limit then return {1, wait} end
            set('full', base + interval)
            return {0, wait}
            """)

    static let giveBack = RedisScript(
        begin + """
            local full = get('full')
            if full > now then set('full', math.max(full - tonumber(ARGV[1]), now)) end
            return 1
            """)

    static let hold = RedisScript(
        begin + """
            set('held', math.max(get('held'), now + tonumber(ARGV[1])))
            return 1
            """)

    static let isHeld = RedisScript(
        begin + """
            return get('held') > now and 1 or 0
            """)

    /// Adds what calls have earned, and takes one repeat. A budget that was not used for ten minutes is full.
    static let takeRetry = RedisScript(
        """
        local reserve = tonumber(ARGV[2])
        local tokens = math.min(tonumber(redis.call('GET', KEYS[1]) or reserve) + tonumber(ARGV[1]), reserve)
        -- Ten times a fifth is slightly less than two in floating point.
        local taken = tokens > 1 - 1e-9
        if taken then tokens = tokens - 1 end
        redis.call('SET', KEYS[1], string.format('%.6f', tokens), 'EX', 600)
        return taken and 1 or 0
        """)
}
#endif

#if Redis
/// The scripts of a cache. `KEYS[1]` is the beginning of all its keys, which have one hash tag. The last argument is the sealed salt that the
/// process knows: names with another salt would be other names. A script that needs no name has `*` there.
///
/// An entry is a hash `entry:ID` with its sealed head, a small body, its size, and the names under which it is found: `place:DIGEST` has the
/// entries of a cache key by variant, `term:DIGEST` those of a URL or a tag. A larger body is a list `body:NUMBER`. `uses` has the ids in the
/// order of their last use, `ids` by number, `total` their size.
enum CacheScripts {
    private static let begin = """
        local base, salt = KEYS[1], table.remove(ARGV)
        if salt ~= '*' and salt ~= (redis.call('GET', base .. ':salt') or '') then return 'salt' end
        local function key(kind, name) return base .. ':' .. kind .. ':' .. name end
        local function use(id) redis.call('ZADD', base .. ':uses', redis.call('INCR', base .. ':clock'), id) end
        local function useAgain(id) if redis.call('ZSCORE', base .. ':uses', id) then use(id) end end
        local function describe(id, terms, flag)
            for term in string.gmatch(terms, '%S+') do redis.call(flag, key('term', term), id) end
        end
        -- A server that evicts may have removed a set by which a removal would have found the entry.
        local function isFound(id)
            if not redis.call('ZSCORE', base .. ':ids', id) then return false end
            for term in string.gmatch(redis.call('HGET', key('entry', id), 'terms') or '', '%S+') do
                if redis.call('SISMEMBER', key('term', term), id) == 0 then return false end
            end
            return true
        end
        local function forget(id)
            local row = redis.call('HMGET', key('entry', id), 'place', 'variant', 'terms', 'number', 'size')
            redis.call('ZREM', base .. ':uses', id)
            redis.call('ZREM', base .. ':ids', id)
            if not row[1] then return 0 end
            if redis.call('HGET', key('place', row[1]), row[2]) == id then redis.call('HDEL', key('place', row[1]), row[2]) end
            describe(id, row[3], 'SREM')
            if row[4] ~= '' then redis.call('UNLINK', key('body', row[4])) end
            redis.call('UNLINK', key('entry', id))
            redis.call('DECRBY', base .. ':total', row[5])
            return 1
        end

        """

    /// Returns the id, head, length, number of the body and small body of each entry of a key.
    static let lookup = RedisScript(
        begin + """
            local found = {}
            local rows = redis.call('HGETALL', key('place', ARGV[1]))
            for i = 2, #rows, 2 do
                local row = redis.call('HMGET', key('entry', rows[i]), 'head', 'length', 'number', 'body')
                if row[1] and isFound(rows[i]) then
                    found[#found + 1] = {rows[i], row[1], row[2], row[3], row[4]}
                else
                    forget(rows[i])
                    redis.call('HDEL', key('place', ARGV[1]), rows[i - 1])
                end
            end
            return found
            """)

    /// Returns the ids of the entries of a key, or of a URL or a tag.
    static let ids = RedisScript(
        begin + """
            if ARGV[1] == 'place' then return redis.call('HVALS', key('place', ARGV[2])) end
            return redis.call('SMEMBERS', key('term', ARGV[2]))
            """)

    /// Returns the heads of entries, with their ids.
    static let heads = RedisScript(
        begin + """
            local found = {}
            for _, id in ipairs(ARGV) do
                local row = redis.call('HMGET', key('entry', id), 'head', 'length')
                if row[1] then found[#found + 1] = {id, row[1], row[2]} end
            end
            return found
            """)

    /// Stores an entry in place of the one with its variant, and makes room. Returns whether it is stored, and the number of evicted entries.
    static let publish = RedisScript(
        begin + """
            local id, place, variant, terms, number, size = ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5], ARGV[6]
            local limit, chunks, most = tonumber(ARGV[7]), tonumber(ARGV[8]), tonumber(ARGV[9])
            if number ~= '' then
                if redis.call('LLEN', key('body', number)) ~= chunks then return {0, 0} end
                redis.call('PERSIST', key('body', number))
            end
            local old = redis.call('HGET', key('place', place), variant)
            if old then forget(old) end
            local gone = 0
            local rows = redis.call('HGETALL', key('place', place))
            if #rows / 2 >= most then
                local oldest, first
                for i = 2, #rows, 2 do
                    local used = tonumber(redis.call('ZSCORE', base .. ':uses', rows[i]) or 0)
                    if not first or used < first then oldest, first = rows[i], used end
                end
                redis.call('HDEL', key('place', place), oldest)
                gone = gone + forget(oldest)
            end
            redis.call('HSET', key('place', place), variant, id)
            redis.call('HSET', key('entry', id), 'place', place, 'variant', variant, 'terms', terms, 'number', number, 'size', size,
                'length', ARGV[10], 'head', ARGV[11])
            if number == '' then redis.call('HSET', key('entry', id), 'body', ARGV[12]) end
            describe(id, terms, 'SADD')
            use(id)
            redis.call('ZADD', base .. ':ids', 0, id)
            redis.call('INCRBY', base .. ':total', size)
            while gone < 1000 and tonumber(redis.call('GET', base .. ':total')) > limit do
                local first = redis.call('ZRANGE', base .. ':uses', 0, 0)[1]
                if not first or first == id then
                    -- The server has evicted keys by itself, so the sum was wrong.
                    redis.call('SET', base .. ':total', size)
                    break
                end
                gone = gone + forget(first)
            end
            return {1, gone}
            """)

    /// Replaces the head of an entry. Returns whether the entry is still there.
    static let update = RedisScript(
        begin + """
            local id, terms, head = ARGV[1], ARGV[2], ARGV[3]
            local row = redis.call('HMGET', key('entry', id), 'terms', 'size', 'length')
            if not row[1] then return 0 end
            describe(id, row[1], 'SREM')
            describe(id, terms, 'SADD')
            local size = string.len(head) + row[3]
            redis.call('INCRBY', base .. ':total', size - row[2])
            redis.call('HSET', key('entry', id), 'terms', terms, 'size', size, 'head', head)
            return 1
            """)

    /// Returns the head, length, number of the body and small body of one entry, which counts as a use.
    static let body = RedisScript(
        begin + """
            local row = redis.call('HMGET', key('entry', ARGV[1]), 'head', 'length', 'number', 'body')
            if not row[1] or not isFound(ARGV[1]) then return {} end
            useAgain(ARGV[1])
            return row
            """)

    /// Removes entries. Returns how many were there.
    static let remove = RedisScript(
        begin + """
            local count = 0
            for _, id in ipairs(ARGV) do count = count + forget(id) end
            return count
            """)

    /// Records uses, in their order.
    static let use = RedisScript(
        begin + """
            for _, id in ipairs(ARGV) do useAgain(id) end
            return 1
            """)

    /// Adds a piece of a body that no lookup finds yet. It ends by itself if it is not published.
    static let append = RedisScript(
        begin + """
            redis.call('RPUSH', key('body', ARGV[1]), ARGV[2])
            return redis.call('EXPIRE', key('body', ARGV[1]), ARGV[3])
            """)
}
#endif

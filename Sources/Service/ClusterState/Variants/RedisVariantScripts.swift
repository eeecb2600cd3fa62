import RedisClient

/// Atomic operations of Redis.
enum RedisVariantScripts {
    /// ARGV: the field, the field of the other effort, the value, 1 if it was re-encoded, the maximum number of fields,
    /// the lifetime in seconds. Returns 1 if it was stored.
    static let store = RedisScript(
        """
        local other = redis.call('HEXISTS', KEYS[1], ARGV[2])
        if ARGV[4] == '0' and other == 1 then return 0 end
        if other == 0 and redis.call('HEXISTS', KEYS[1], ARGV[1]) == 0
          and redis.call('HLEN', KEYS[1]) >= tonumber(ARGV[5]) then return 0 end
        redis.call('HSET', KEYS[1], ARGV[1], ARGV[3])
        if other == 1 then redis.call('HDEL', KEYS[1], ARGV[2]) end
        redis.call('EXPIRE', KEYS[1], ARGV[6])
        return 1
        """)

    /// ARGV: the prefix of the fields. Returns the number of removed fields.
    static let removeOriginal = RedisScript(
        """
        local count = 0
        for _, field in ipairs(redis.call('HKEYS', KEYS[1])) do
          if string.sub(field, 1, #ARGV[1]) == ARGV[1] then
            redis.call('HDEL', KEYS[1], field)
            count = count + 1
          end
        end
        return count
        """)
}

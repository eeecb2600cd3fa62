import RedisClient

/// Steps that Redis does as a whole.
enum RedisVariantScripts {
    /// Field, field of the other effort, value, 1 when it was encoded again, most fields, seconds to live.
    /// Returns 1 when it was stored.
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

    /// What the fields begin with. Returns how many there were.
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

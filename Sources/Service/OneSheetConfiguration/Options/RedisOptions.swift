import ArgumentParser

/// Options of the Redis server through which nodes share variants, events and budgets.
struct RedisOptions: ParsableArguments {
    @Option(
        help: """
            redis://[user[:password]@]host[:port][/database], or rediss:// with TLS: the Redis server of the nodes. \
            Without it, or while it is unavailable, each node works on its own.
            """)
    var redis: String?

    @Option(help: "File with the password of Redis; read again at each connection.", completion: .file())
    var redisPasswordFile: String?

    @Option(
        help: "PEM file of the certificate authorities trusted for Redis. Default: the system's", completion: .file())
    var redisCaFile: String?

    @Option(help: "Prefix of all key names in Redis. Default: onesheet:")
    var redisPrefix: String?

    @Option(help: "Seconds to wait for a variant from Redis before rendering it. Default: 0.005")
    var redisTimeout: String?

    @Option(help: "Largest variant that is stored in Redis; 0 stores none. Default: 1MiB")
    var redisVariantBytes: String?

    @Option(
        help: "Seconds for which the variants of a poster stay in Redis after the last one was stored. Default: 604800")
    var redisVariantsTtl: String?
}

import ArgumentParser

/// Options of the Redis server through which nodes share variants, events and budgets.
struct RedisOptions: ParsableArguments {
    @Option(
        help: """
            redis://[user[:password]@]host[:port][/database], or rediss:// with TLS: a Redis server that nodes share. Without it, \
            or while it is away, each node goes on by itself.
            """)
    var redis: String?

    @Option(help: "File with the password of Redis; read again at each connection.")
    var redisPasswordFile: String?

    @Option(help: "PEM file of the authorities that may sign the certificate of Redis. Default: the system's")
    var redisCaFile: String?

    @Option(help: "What the names of all keys in Redis begin with. Default: onesheet:")
    var redisPrefix: String?

    @Option(help: "Seconds that a variant is waited for in Redis before it is rendered. Default: 0.005")
    var redisTimeout: String?

    @Option(help: "Largest variant that is stored in Redis; 0 stores none. Default: 1MiB")
    var redisVariantBytes: String?

    @Option(
        help: "Seconds for which the variants of a poster stay in Redis after the last one was stored. Default: 604800")
    var redisVariantsTtl: String?
}

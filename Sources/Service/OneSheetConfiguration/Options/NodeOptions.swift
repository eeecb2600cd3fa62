import ArgumentParser

/// Options of a node in a cluster.
struct NodeOptions: ParsableArguments {
    @Option(
        help: """
            Name of this node, unique among the nodes of one Redis: letters, digits and .:_-, at most 64. Default: \
            host name and port
            """)
    var nodeName: String?

    @Option(
        help: """
            Seconds without a connection to Redis after which pictures get 503, because other nodes may have purged them; from 1, \
            or off. Default: off
            """)
    var purgeLag: String?
}

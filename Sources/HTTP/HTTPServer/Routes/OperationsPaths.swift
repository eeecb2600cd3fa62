/// The resources of those that watch the service: reached without a rate and a place, also when the service is busiest.
public enum OperationsPaths {
    /// Liveness: the process responds.
    public static let health = "/healthz"
    /// Readiness: new clients can be served.
    public static let readiness = "/readyz"
    /// Metrics in the Prometheus text format.
    public static let metrics = "/metrics"

    /// All of them.
    public static let all: Set<String> = [health, readiness, metrics]
}

/// When an origin is left alone because it fails.
public struct BreakerPolicy: Sendable, Hashable {
    /// How many fetches in a row, each with its retries, have to fail, `5` by default; 0 never leaves it alone.
    public var threshold = 5
    /// For how long it is left alone at first, `30 s` by default. It doubles with each probe that fails.
    public var duration: Duration = .seconds(30)
    /// For how long it is left alone at most, `5 min` by default; less than ``duration`` counts as that.
    public var maxDuration: Duration = .seconds(300)

    /// What others are told to wait while a probe is under way, whose end nobody knows.
    static let probeWait: Duration = .seconds(1)

    /// The defaults.
    public init() {}
}

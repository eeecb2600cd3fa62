/// A cache without its values: who is in, who has to go.
///
/// Keys are numbers from 0, so that a simulation spends its time on the policy and not on a dictionary.
protocol EvictionPolicy {
    /// - Parameters:
    ///   - budget: In bytes.
    ///   - bytes: By key.
    init(budget: Int, bytes: [UInt32])

    /// Asks for a key; when it misses, it is inserted.
    ///
    /// - Returns: Whether it was a hit.
    mutating func request(_ key: Int) -> Bool
}

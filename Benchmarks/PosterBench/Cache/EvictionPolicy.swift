/// A simulated cache without values, which only admits and evicts keys.
///
/// Keys are numbers from 0, so that a simulation spends its time on the policy and not on a dictionary.
protocol EvictionPolicy {
    /// Requests a key; a miss inserts it.
    ///
    /// - Returns: Whether it was a hit.
    mutating func request(_ key: Int) -> Bool
}

/// The middle value, or the mean of the two middle values of an even number.
enum Median {
    /// - Parameter values: At least one, in any order.
    static func of(_ values: [Double]) -> Double {
        let sorted = values.sorted()
        let middle = sorted.count / 2
        return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
    }
}

/// A key for timing, shaped like the service's: a variant's properties, with a text and an array on the heap.
struct CacheKey: Hashable, Sendable {
    let id: String
    let digest: [UInt8]
    let width, height: Int
    let format: UInt8
    let quality: Int?

    /// - Parameter number: Different numbers give different keys. Keys of equal numbers share no heap memory, as in
    ///   different requests.
    init(_ number: Int) {
        self.id = "catalogue:poster-\(number)"
        var random = SplitMix(seed: UInt64(number))
        self.digest = (0..<32).map { _ in UInt8(truncatingIfNeeded: random.next()) }
        (self.width, self.height) = (342, 513)
        self.format = 1
        self.quality = 80
    }
}

/// A cached value, like the service's a reference to bytes and one to a text.
struct CacheValue: Sendable {
    /// Represents the bytes, which no policy reads.
    final class Storage: Sendable {}

    let storage = Storage()
    let tag: String

    init(_ number: Int) {
        self.tag = "\"0123456789abcdef-\(number)\""
    }
}

/// A key of the service's shape for timing: a variant's values, with a text and an array on the heap to hash and compare.
struct CacheKey: Hashable, Sendable {
    let id: String
    let digest: [UInt8]
    let width, height: Int
    let format: UInt8
    let quality: Int?

    /// - Parameter number: Keys of different numbers differ. Keys of equal numbers share nothing on the heap, as those of
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

/// What a key stands for: as in the service, a reference to bytes and one to a text.
struct CacheValue: Sendable {
    /// Stands for the bytes, which no policy looks at.
    final class Storage: Sendable {}

    let storage = Storage()
    let tag: String

    init(_ number: Int) {
        self.tag = "\"0123456789abcdef-\(number)\""
    }
}

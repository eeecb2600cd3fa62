/// The segments of a JPEG that an ICC profile is split into (ICC.1:2010, B.4).
struct JPEGProfileParts {
    private static let signature = "ICC_PROFILE\0"
    /// Of the signature, the part's number and the number of parts.
    private static let headLength = 14

    /// What the parts hold, by their numbers.
    private var parts: [UInt8: Range<Int>] = [:]
    private var count: UInt8?
    /// Whether a part comes twice, or two parts disagree on how many there are.
    private var isContradictory = false
    /// Whether there is any such segment.
    private(set) var isPresent = false

    /// Takes what an APP2 segment holds of a profile, if anything.
    ///
    /// - Parameter range: Where the segment's payload lies in the file.
    mutating func note(_ payload: UnsafeRawBufferPointer, at range: Range<Int>) {
        guard Prefix(payload).has(Self.signature) else { return }
        self.isPresent = true
        guard payload.count > Self.headLength else { return }
        let (number, count) = (payload[12], payload[13])
        if self.parts[number] != nil || self.count ?? count != count { self.isContradictory = true }
        self.count = count
        self.parts[number] = range.dropFirst(Self.headLength)
    }

    /// Where the profile lies in the file, in order; nil where the parts make no whole profile, which is as good as none:
    /// that is what browsers do.
    var ranges: [Range<Int>]? {
        guard !self.isContradictory, let count, count > 0, self.parts.count == Int(count) else { return nil }
        let ranges = (1...count).compactMap { self.parts[$0] }
        return ranges.count == Int(count) ? ranges : nil
    }
}

extension [Range<Int>] {
    /// Bytes in all.
    var byteCount: Int { self.reduce(0) { $0 + $1.count } }

    /// The first bytes that lie there, `limit` at most.
    func bytes(of file: UnsafeRawBufferPointer, limit: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(Swift.min(limit, self.byteCount))
        for range in self where bytes.count < limit {
            bytes += UnsafeRawBufferPointer(rebasing: file[range.prefix(limit - bytes.count)])
        }
        return bytes
    }
}

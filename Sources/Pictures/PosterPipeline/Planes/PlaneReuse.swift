import PosterCodec

/// Estimates how often planes of a decode would be used, from which follows what keeping them may cost: a pure value.
///
/// Where each visitor requests one width of a poster, a few decodes of a thousand are of an original that was decoded
/// shortly before, and keeping planes of all of them costs more than it saves. Where widths are requested one after the
/// other, as by a build of a site, most are.
struct PlaneReuse {
    /// The decodes within which another one of the same original counts as a use that its planes would have had: about as
    /// many as planes fit in the default budget.
    static let recentCount = 32
    /// The least share of reuse with which planes of an original stay that was not decoded recently. They cost 3 to 6 % of
    /// a render, and save about half of another.
    static let leastShare = 0.1
    /// The weight of a decode in ``share``.
    private static let weight = 1.0 / 64
    /// What the decode of an original may cost that was decoded recently, while planes are used: its widths are requested
    /// one after the other then, so that the next decode serves all of the ladder. Where planes are seldom used, a few
    /// such decodes would cost more than the planes save.
    private static let againCostFactor = 3.0

    /// The share of renders, of those that need a decode or use planes, that were of an original decoded shortly before: a
    /// moving average, high until something is known.
    private(set) var share = 0.5
    /// Whether planes of every decode stay: what is rendered ahead is rendered from them.
    var keepsAll = false
    /// The digests of the last decodes, as a ring.
    private var recent: [Digest] = []
    private var next = 0

    mutating func noteUse() {
        self.share += (1 - self.share) * Self.weight
    }

    mutating func noteDecode(of digest: Digest) {
        if self.recent.contains(digest) {
            self.noteUse()
            return
        }
        self.share -= self.share * Self.weight
        if self.recent.count < Self.recentCount {
            self.recent.append(digest)
        } else {
            self.recent[self.next] = digest
            self.next = (self.next + 1) % Self.recentCount
        }
    }

    /// - Parameter digest: nil while it is not known.
    /// - Returns: nil when no planes are to stay.
    func costFactor(for digest: Digest?) -> Double? {
        let again = digest.map(self.recent.contains) ?? false
        if again && self.share >= Self.leastShare { return Self.againCostFactor }
        return again || self.keepsAll || self.share >= Self.leastShare ? DecodeSharing.Decode.retainingCostFactor : nil
    }
}

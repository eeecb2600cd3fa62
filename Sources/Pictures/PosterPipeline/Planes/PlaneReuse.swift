import PosterCodec

/// Estimates how often retained planes would be used, and thereby what retaining them may cost. A plain value.
///
/// Where each visitor requests one width of a poster, only a few in a thousand decodes repeat a recent one, and
/// retaining all planes costs more than it saves. Where widths are requested one after another, as by the build of a
/// site, most decodes do.
struct PlaneReuse {
    /// Number of recent decodes within which another one of the same original counts as a use that its planes would
    /// have had: about as many as planes fit in the default budget.
    static let recentCount = 32
    /// Minimum ``share`` for retaining planes of an original that was not decoded recently. Planes cost 3 to 6 % of a
    /// render, and save about half of another.
    static let leastShare = 0.1
    /// The weight of a new value in ``share``.
    private static let weight = 1.0 / 64
    /// The cost factor for an original that was decoded recently, while planes are in use: its widths are then
    /// requested one after another, and one decode should serve the whole ladder. Where planes are rarely used, a few
    /// such decodes would cost more than the planes save.
    private static let againCostFactor = 3.0

    /// Moving average of the share of renders, among those that need a decode or use planes, of an original decoded
    /// recently; starts high.
    private(set) var share = 0.5
    /// Whether every decode retains planes, which rendering ahead uses.
    var keepsAll = false
    /// The digests of the last decodes, as a ring buffer.
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

    /// - Parameter digest: `nil` if it is unknown.
    /// - Returns: `nil` if no planes are to be retained.
    func costFactor(for digest: Digest?) -> Double? {
        let again = digest.map(self.recent.contains) ?? false
        if again && self.share >= Self.leastShare { return Self.againCostFactor }
        return again || self.keepsAll || self.share >= Self.leastShare ? DecodeSharing.Decode.retainingCostFactor : nil
    }
}

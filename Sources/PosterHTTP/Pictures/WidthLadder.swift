/// The only widths that pictures have, when the operator wants few variants.
public struct WidthLadder: Hashable, Sendable {
    /// How many rungs there may be.
    public static let counts = 1...64
    /// What a rung may be, in pixels.
    public static let widths = PosterQuery.sides

    /// In pixels, ascending.
    public let rungs: [Int]
    /// Whether a width between two rungs gets the upper one, rather than an error.
    public let snaps: Bool

    /// - Returns: nil unless there are ``counts`` rungs, each of ``widths``, each wider than the one before.
    public init?(rungs: [Int], snaps: Bool = false) {
        guard Self.counts.contains(rungs.count), rungs.allSatisfy(Self.widths.contains),
            zip(rungs, rungs.dropFirst()).allSatisfy({ $0 < $1 })
        else { return nil }
        self.rungs = rungs
        self.snaps = snaps
    }

    /// The next rung; the last one for what is wider.
    func rung(atLeast width: Int) -> Int {
        self.rungs.first { $0 >= width } ?? self.rungs[self.rungs.count - 1]
    }

    /// The width that somebody gets who asked for this one.
    ///
    /// - Throws: ``Problem`` that lists the rungs, when it is none of them and nothing is taken up to the next.
    func width(for wanted: Int) throws(Problem) -> Int {
        let rung = self.rung(atLeast: wanted)
        guard rung == wanted || self.snaps else {
            let list = self.rungs.map(String.init).joined(separator: ", ")
            throw Problem(
                .invalidParameter, "\(wanted) pixels is no width of this server; times dpr it must be one of \(list)")
        }
        return rung
    }
}

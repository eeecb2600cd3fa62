import HTTPSemantics

/// The only widths that pictures have, and the only heights that can be asked for, when the operator wants few variants.
public struct WidthLadder: Hashable, Sendable {
    /// How many rungs there may be, and how many heights at most.
    public static let counts = 1...64
    /// What a rung or a height may be, in pixels.
    public static let widths = PosterQuery.sides

    /// In pixels, ascending.
    public let rungs: [Int]
    /// In pixels, ascending; none where no height can be asked for.
    public let heights: [Int]
    /// Whether a side between two rungs gets the upper one, rather than an error.
    public let snaps: Bool

    /// - Returns: nil unless there are ``counts`` rungs, each of ``widths``, each wider than the one before, and heights as
    ///   they, if there are any.
    public init?(rungs: [Int], heights: [Int] = [], snaps: Bool = false) {
        guard Self.areRungs(rungs), heights.isEmpty || Self.areRungs(heights) else { return nil }
        self.rungs = rungs
        self.heights = heights
        self.snaps = snaps
    }

    /// Whether these are ``counts`` sides of ``widths``, ascending.
    public static func areRungs(_ sides: [Int]) -> Bool {
        Self.counts.contains(sides.count) && sides.allSatisfy(Self.widths.contains)
            && zip(sides, sides.dropFirst()).allSatisfy { $0 < $1 }
    }

    /// The width of a picture that is asked for without a side.
    var largestRung: Int { self.rungs[self.rungs.count - 1] }

    /// The next rung; the last one for what is wider.
    package func rung(atLeast width: Int) -> Int {
        Self.next(of: self.rungs, atLeast: width)
    }

    /// The width that somebody gets who asked for this one.
    ///
    /// - Throws: ``Problem`` that lists the rungs, when it is none of them and nothing is taken up to the next.
    func width(for wanted: Int) throws(Problem) -> Int {
        try self.side("width", of: self.rungs, for: wanted)
    }

    /// The next height; the last one for what is higher, and the very height where there are none.
    func height(atLeast height: Int) -> Int {
        self.heights.isEmpty ? height : Self.next(of: self.heights, atLeast: height)
    }

    /// The height that somebody gets who asked for this one.
    ///
    /// - Throws: ``Problem``, as of ``width(for:)``, and where there are no heights.
    func height(for wanted: Int) throws(Problem) -> Int {
        guard !self.heights.isEmpty else {
            throw Problem(
                .invalidParameter,
                "no height can be asked of this server, only a width: one of \(Self.list(self.rungs))")
        }
        return try self.side("height", of: self.heights, for: wanted)
    }

    private func side(_ name: String, of rungs: [Int], for wanted: Int) throws(Problem) -> Int {
        let rung = Self.next(of: rungs, atLeast: wanted)
        guard rung == wanted || self.snaps else {
            throw Problem(
                .invalidParameter,
                "\(wanted) pixels is no \(name) of this server; times dpr it must be one of \(Self.list(rungs))")
        }
        return rung
    }

    private static func next(of rungs: [Int], atLeast side: Int) -> Int {
        rungs.first { $0 >= side } ?? rungs[rungs.count - 1]
    }

    private static func list(_ rungs: [Int]) -> String {
        rungs.map(String.init).joined(separator: ", ")
    }
}

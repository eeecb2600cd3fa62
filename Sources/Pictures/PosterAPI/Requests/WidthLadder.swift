import HTTPSemantics

/// The allowed widths and heights of pictures, for operators that limit the number of variants.
package struct WidthLadder: Hashable, Sendable {
    /// The accepted numbers of rungs, and of heights.
    package static let counts = 1...64
    /// The accepted rungs and heights, in pixels.
    package static let widths = PictureRequest.sides

    /// Widths in pixels, ascending.
    package let rungs: [Int]
    /// Heights in pixels, ascending; empty if requests may not have a height.
    package let heights: [Int]
    /// Whether a side between two rungs is rounded up; otherwise it is rejected.
    package let snaps: Bool

    /// - Returns: `nil` unless `rungs`, and `heights` if there are any, satisfy ``areRungs(_:)``.
    package init?(rungs: [Int], heights: [Int] = [], snaps: Bool = false) {
        guard Self.areRungs(rungs), heights.isEmpty || Self.areRungs(heights) else { return nil }
        self.rungs = rungs
        self.heights = heights
        self.snaps = snaps
    }

    /// Whether `sides` are ascending, within ``widths``, and as many as ``counts`` permits.
    package static func areRungs(_ sides: [Int]) -> Bool {
        Self.counts.contains(sides.count) && sides.allSatisfy(Self.widths.contains)
            && zip(sides, sides.dropFirst()).allSatisfy { $0 < $1 }
    }

    /// The width of a request without a side.
    var largestRung: Int { self.rungs[self.rungs.count - 1] }

    /// The smallest rung of at least `width`; the last one for greater widths.
    package func rung(atLeast width: Int) -> Int {
        Self.next(of: self.rungs, atLeast: width)
    }

    /// The width served for `wanted`.
    ///
    /// - Throws: ``Problem`` that lists the rungs if `wanted` is not a rung and ``snaps`` is false.
    func width(for wanted: Int) throws(Problem) -> Int {
        try self.side("width", of: self.rungs, for: wanted)
    }

    /// The smallest permitted height of at least `height`; the last one for greater heights, `height` without a list.
    func height(atLeast height: Int) -> Int {
        self.heights.isEmpty ? height : Self.next(of: self.heights, atLeast: height)
    }

    /// The height served for `wanted`.
    ///
    /// - Throws: ``Problem`` as ``width(for:)``, and without a list of heights.
    func height(for wanted: Int) throws(Problem) -> Int {
        guard !self.heights.isEmpty else {
            throw Problem(
                .invalidParameter,
                "this server accepts no height, only a width: one of \(Self.list(self.rungs))")
        }
        return try self.side("height", of: self.heights, for: wanted)
    }

    private func side(_ name: String, of rungs: [Int], for wanted: Int) throws(Problem) -> Int {
        let rung = Self.next(of: rungs, atLeast: wanted)
        guard rung == wanted || self.snaps else {
            throw Problem(
                .invalidParameter,
                "a \(name) of \(wanted) pixels is not allowed; times dpr, it must be one of \(Self.list(rungs))")
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

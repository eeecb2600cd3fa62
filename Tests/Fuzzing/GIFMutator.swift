/// Mutates a GIF's codes below the sub-blocks, and its numbers in place.
struct GIFMutator {
    private(set) var bytes: [UInt8]
    private var random: SeededRandom

    init(_ bytes: [UInt8], random: SeededRandom) {
        self.bytes = bytes
        self.random = random
    }

    mutating func mutate() {
        let layout = self.bytes.withUnsafeBytes { buffer in
            var parser = GIFParser(buffer)
            _ = try? parser.header()
            return parser.progress.layout
        }
        guard let layout, layout.dataStart < self.bytes.count else {
            self.bytes = self.bytes.mutated(growth: 64)
            return
        }
        switch Int.random(in: 0..<4, using: &self.random) {
        case 0...1: self.changeCodes(from: layout.dataStart)
        case 2: self.changeNumber(layout)
        default: self.bytes = self.bytes.mutated(growth: 64)
        }
    }

    /// Changes numbers of the screen and of the first picture, and its flags; mostly to small numbers, which are
    /// plausible.
    private mutating func changeNumber(_ layout: GIFLayout) {
        let hasOwnPalette = layout.palette.upperBound == layout.dataStart
        let picture = (hasOwnPalette ? layout.palette.lowerBound : layout.dataStart) - 10
        let number =
            Bool.random(using: &self.random) ? self.random.remarkable() : Int.random(in: 0...300, using: &self.random)
        switch [6, 8, 10, picture + 1, picture + 3, picture + 5, picture + 7, picture + 9, layout.dataStart]
            .randomElement(using: &self.random)!
        {
        case let at where at == 10 || at == picture + 9 || at == layout.dataStart:
            self.bytes[at] ^= 1 << UInt8.random(in: 0...7, using: &self.random)
        case let at:
            self.bytes[at] = UInt8(truncatingIfNeeded: number)
            self.bytes[at + 1] = UInt8(truncatingIfNeeded: number >> 8)
        }
    }

    /// Mutates the first picture's codes and splits them into sub-blocks again.
    private mutating func changeCodes(from start: Int) {
        var end = start + 1
        var codes: [UInt8] = []
        while end < self.bytes.count, self.bytes[end] > 0 {
            let next = end + 1 + Int(self.bytes[end])
            codes += self.bytes[end + 1..<min(next, self.bytes.count)]
            end = min(next, self.bytes.count)
        }
        let changed = codes.mutated(growth: 64)
        var blocks: [UInt8] = []
        for part in stride(from: 0, to: changed.count, by: 255) {
            let block = changed[part..<min(part + 255, changed.count)]
            blocks += [UInt8(block.count)] + block
        }
        self.bytes.replaceSubrange(start + 1..<end, with: blocks)
    }
}

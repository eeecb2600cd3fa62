/// Embedding levels of a line of text by the Unicode Bidirectional Algorithm (UAX #9), without explicit embeddings,
/// overrides and isolates: odd levels are written from right to left.
struct BidiLevels {
    /// The classes that the rules distinguish, by UAX #9's abbreviations.
    private enum Class {
        /// L and R; Arabic letters (AL) are R after rule W3.
        case left, right, arabic
        /// EN and AN.
        case number, arabicNumber
        /// ES, CS and ET.
        case numberSign, numberSeparator, numberTerminator
        /// NSM and BN, which take the class of the preceding scalar.
        case mark
        /// B, S, WS and ON.
        case neutral
    }

    /// The level of each scalar.
    let levels: [UInt8]

    init(_ scalars: [Unicode.Scalar]) {
        var classes = scalars.map(Self.class(of:))
        let base = classes.first { [.left, .right, .arabic].contains($0) }.map { $0 == .left ? Class.left : .right }
        Self.resolve(&classes, base: base ?? .left)
        self.levels = classes.map { bidiClass in
            switch (base ?? .left, bidiClass) {
            case (.left, .left): 0
            case (_, .right): 1
            default: 2
            }
        }
    }

    /// Indices of parts in the order of display, from left to right (rule L2).
    ///
    /// - Parameter levels: The level of each part.
    static func visualOrder(_ levels: [UInt8]) -> [Int] {
        var order = Array(levels.indices)
        guard let highest = levels.max(), highest > 0 else { return order }
        for level in (1...highest).reversed() {
            var start = 0
            while start < order.count {
                var end = start
                while end < order.count, levels[order[end]] >= level { end += 1 }
                order[start..<end].reverse()
                start = max(end, start + 1)
            }
        }
        return order
    }

    /// Rules W1 to W7, N1 and N2: leaves `left`, `right` and numbers.
    private static func resolve(_ classes: inout [Class], base: Class) {
        var strong = base
        for index in classes.indices {
            switch classes[index] {
            case .mark: classes[index] = index > 0 ? classes[index - 1] : .neutral
            case .left, .right, .arabic: strong = classes[index]
            case .number where strong == .arabic: classes[index] = .arabicNumber
            default: break
            }
        }
        self.joinNumbers(&classes)
        strong = base
        for index in classes.indices {
            switch classes[index] {
            case .arabic:
                classes[index] = .right
                strong = .right
            case .left, .right: strong = classes[index]
            case .number where strong == .left: classes[index] = .left
            case .numberSign, .numberSeparator, .numberTerminator: classes[index] = .neutral
            default: break
            }
        }
        self.resolveNeutrals(&classes, base: base)
    }

    /// Rules W4 and W5: signs within numbers and beside them.
    private static func joinNumbers(_ classes: inout [Class]) {
        for index in classes.indices.dropFirst().dropLast() {
            let before = classes[index - 1]
            guard before == classes[index + 1] else { continue }
            switch classes[index] {
            case .numberSign where before == .number: classes[index] = .number
            case .numberSeparator where before == .number || before == .arabicNumber: classes[index] = before
            default: break
            }
        }
        for order in [Array(classes.indices), classes.indices.reversed()] {
            var isBesideNumber = false
            for index in order {
                if isBesideNumber, classes[index] == .numberTerminator { classes[index] = .number }
                isBesideNumber = classes[index] == .number
            }
        }
    }

    private static func resolveNeutrals(_ classes: inout [Class], base: Class) {
        func side(_ bidiClass: Class) -> Class { bidiClass == .left ? .left : .right }
        var start = 0
        while start < classes.count {
            guard classes[start] == .neutral else {
                start += 1
                continue
            }
            let end = classes[start...].firstIndex { $0 != .neutral } ?? classes.count
            let before = start > 0 ? side(classes[start - 1]) : base
            let after = end < classes.count ? side(classes[end]) : base
            for index in start..<end { classes[index] = before == after ? before : base }
            start = end
        }
    }

    private static func `class`(of scalar: Unicode.Scalar) -> Class {
        switch scalar.value {
        case 0x30...0x39, 0x6F0...0x6F9, 0xB2, 0xB3, 0xB9, 0x2070...0x2079, 0x2080...0x2089: return .number
        case 0x660...0x669, 0x66B...0x66C: return .arabicNumber
        case 0x2B, 0x2D, 0x207A...0x207B, 0x208A...0x208B, 0x2212: return .numberSign
        case 0x2C, 0x2E, 0x2F, 0x3A, 0xA0, 0x60C, 0x202F, 0x2044: return .numberSeparator
        case 0x23...0x25, 0xA2...0xA5, 0xB0, 0xB1, 0x66A, 0x2030...0x2034, 0x20A0...0x20CF: return .numberTerminator
        case 0x200E: return .left
        case 0x200F: return .right
        case 0x61C: return .arabic
        default: break
        }
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format: return .mark
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .spacingMark,
            .decimalNumber, .letterNumber, .privateUse:
            return self.direction(of: scalar)
        case .otherPunctuation, .otherNumber:
            // Such as the Hebrew sof pasuq, which is R.
            let direction = self.direction(of: scalar)
            return direction == .left ? .neutral : direction
        default: return .neutral
        }
    }

    /// The direction of a letter, by the blocks of scripts that are written from right to left.
    private static func direction(of scalar: Unicode.Scalar) -> Class {
        switch scalar.value {
        case 0x600...0x7BF, 0x860...0x8FF, 0xFB50...0xFDFF, 0xFE70...0xFEFF, 0x10D00...0x10D3F, 0x10EC0...0x10F6F,
            0x1EC70...0x1ECBF, 0x1ED00...0x1ED4F, 0x1EE00...0x1EEFF:
            .arabic
        case 0x590...0x5FF, 0x7C0...0x85F, 0xFB1D...0xFB4F, 0x10800...0x10FFF, 0x1E800...0x1EFFF: .right
        default: .left
        }
    }
}

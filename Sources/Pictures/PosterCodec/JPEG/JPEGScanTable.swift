/// The scans of a JPEG, found from marker to marker without decoding.
struct JPEGScanTable: Hashable, Sendable {
    struct Component: Hashable, Sendable {
        let frame: JPEGFrame.Component
        /// The number of its blocks of 8×8 samples.
        let blockCount: Int
        /// The quantisation steps of the 64 coefficients in zigzag order, at the start of the component's first scan.
        /// Empty without a scan.
        var steps: [Int] = []
    }

    /// Whether the frame is progressive (SOF2 or SOF10).
    let isProgressive: Bool
    /// In the order of the frame header.
    let components: [Component]
    /// In the order of the file. Other segments between scans (tables, restart intervals, comments) belong to none.
    let scans: [JPEGScan]

    /// Reads a whole file; `nil` if it has no end of image, more than `maxScans` scans, or a scan that does not match
    /// the frame.
    init?(_ bytes: UnsafeRawBufferPointer, maxScans: Int) {
        guard bytes.count > 2 else { return nil }
        var segments = JPEGSegments(bytes)
        var tables = JPEGTables(bytes)
        var frame: (isProgressive: Bool, isHuffman: Bool)?
        var components: [Component] = []
        var scans: [JPEGScan] = []
        walk: while true {
            let segment: JPEGSegments.Segment
            switch try? segments.next() {
            case .segment(let next): segment = next
            case .endOfImage: break walk
            case .needsMoreBytes, nil: return nil
            }
            switch segment.marker {
            case 0xDB: guard tables.noteQuantisers(segment.payload) else { return nil }
            case 0xC4: guard tables.noteCodes(segment.payload) else { return nil }
            case 0xC0...0xC2, 0xC9, 0xCA:
                guard frame == nil,
                    let header = try? JPEGFrame(marker: segment.marker, payload: segments.payload(of: segment))
                else { return nil }
                components = header.components.map { Component(frame: $0, blockCount: header.blockCount(of: $0)) }
                guard Set(header.components.map(\.id)).count == components.count,
                    header.components.allSatisfy({ $0.quantiser < 4 })
                else { return nil }
                frame = (header.isProgressive, segment.marker < 0xC8)
            case 0xC3, 0xC5...0xC7, 0xCB, 0xCD...0xCF: return nil
            case 0xDA:
                let payload = segments.payload(of: segment)
                guard let frame, scans.count < maxScans, segments.skipEntropyCodedData() else { return nil }
                guard var scan = JPEGScan(payload, of: components) else { return nil }
                scan.bytes = segment.start..<segments.offset
                scan.dataCount = segments.offset - segment.payload.upperBound
                for index in scan.components where components[index].steps.isEmpty {
                    components[index].steps = tables.quantiser(components[index].frame.quantiser)
                    guard !components[index].steps.isEmpty else { return nil }
                }
                if frame.isHuffman, !scan.hasDC, !scan.isRefinement {
                    scan.code = tables.code(Int(payload[2] & 15))
                }
                scans.append(scan)
            default: break
            }
        }
        guard let frame, !scans.isEmpty else { return nil }
        self.isProgressive = frame.isProgressive
        self.components = components
        self.scans = scans
    }

    /// Whether the frame is progressive and each scan continues the earlier ones (T.81, G.1.1.1), so that the
    /// dependencies between scans are known.
    var isOrderly: Bool {
        var reached = [[Int?]](repeating: [Int?](repeating: nil, count: 64), count: self.components.count)
        for scan in self.scans {
            guard self.isProgressive, scan.lowBit <= 13 else { return false }
            guard scan.hasDC ? scan.band == 0...0 : scan.components.count == 1 else { return false }
            guard !scan.isRefinement || scan.lowBit == scan.highBit - 1 else { return false }
            for component in scan.components {
                guard scan.hasDC || reached[component][0] != nil else { return false }
                for position in scan.band {
                    guard reached[component][position] == (scan.isRefinement ? scan.highBit : nil) else { return false }
                    reached[component][position] = scan.lowBit
                }
            }
        }
        return true
    }

    /// The indices of an AC scan and of all scans that depend on it, ascending.
    func scans(with first: Int) -> [Int] {
        let component = self.scans[first].components
        var mask = self.scans[first].bandMask
        var group = [first]
        for (index, scan) in self.scans.enumerated().dropFirst(first + 1)
        where scan.isRefinement && scan.components == component && scan.bandMask & mask != 0 {
            mask |= scan.bandMask
            group.append(index)
        }
        return group
    }
}

extension JPEGScan {
    /// Parses a scan header (T.81, B.2.3); sets neither the range in the file nor the code.
    fileprivate init?(_ payload: UnsafeRawBufferPointer, of components: [JPEGScanTable.Component]) {
        guard let count = payload.first.map(Int.init), 1...4 ~= count, payload.count >= 4 + 2 * count else {
            return nil
        }
        var indices: [Int] = []
        for entry in 0..<count {
            guard let index = components.firstIndex(where: { $0.frame.id == payload[1 + 2 * entry] }) else {
                return nil
            }
            guard !indices.contains(index) else { return nil }
            indices.append(index)
        }
        let (first, last, bits) = (Int(payload[1 + 2 * count]), Int(payload[2 + 2 * count]), payload[3 + 2 * count])
        guard first <= last, last < 64 else { return nil }
        self.init(
            components: indices, band: first...last, highBit: Int(bits >> 4), lowBit: Int(bits & 15), bytes: 0..<0,
            dataCount: 0)
    }
}

/// A scan of a JPEG: its header and its range in the file.
struct JPEGScan: Hashable, Sendable {
    /// Its components, as indices into the frame header.
    var components: [Int]
    /// The zigzag positions of its coefficients, 0...63 (Ss...Se).
    var band: ClosedRange<Int>
    /// The lowest bit of these coefficients in earlier scans (Ah), 0...15; 0 without one.
    var highBit: Int
    /// The lowest bit of these coefficients in this scan (Al), 0...15.
    var lowBit: Int
    /// The range in the file, from its marker to the end of its entropy-coded data.
    var bytes: Range<Int>
    /// The number of bytes of its entropy-coded data.
    var dataCount: Int
    /// The Huffman code of its coefficients; `nil` for DC, refinements and arithmetic coding.
    var code: JPEGHuffmanCode?

    /// Whether it adds a bit to coefficients of earlier scans.
    var isRefinement: Bool { self.highBit > 0 }
    /// Whether it contains the DC coefficients, without which there is no picture.
    var hasDC: Bool { self.band.lowerBound == 0 }
    var bandMask: UInt64 { ~0 << UInt64(self.band.lowerBound) & ~0 >> UInt64(63 - self.band.upperBound) }
}

import Testing

@testable import PosterCodec

/// AV1 units that cost more than their size suggests.
@Suite(.computingThread) struct AV1UnitsTests {
    static func unit(_ kind: UInt8, _ payload: [UInt8]) -> [UInt8] {
        var (length, bytes) = (payload.count, [kind << 3 | 2])
        while length > 127 {
            bytes.append(UInt8(length & 127) | 128)
            length >>= 7
        }
        return bytes + [UInt8(length)] + payload
    }

    /// Metadata of a kind that dav1d copies (ITU-T T.35).
    static func metadata(_ byteCount: Int) -> [UInt8] {
        self.unit(5, [4, 0xB5] + [UInt8](repeating: 0x55, count: byteCount - 3) + [0x80])
    }

    /// - Parameter data: Begins with a delimiter and a short sequence header.
    static func inserting(_ unit: [UInt8], behindHeaderOf data: [UInt8]) -> [UInt8] {
        let headerEnd = 4 + Int(data[3])
        return Array(data[..<headerEnd]) + unit + Array(data[headerEnd...])
    }

    @Test("a sequence header is read as far as it can have meaning", arguments: [AV1Units.longestHeader, 1 << 20])
    func limitsHeaders(byteCount: Int) throws {
        // Timing info, with a `uvlc()` number of leading zeros up to the end.
        let header = [0b0000_0100] + [UInt8](repeating: 0, count: 7) + [0x02]
        let bytes = header + [UInt8](repeating: 0, count: byteCount - header.count)
        let error = #expect(throws: CodecError.self) {
            try (Self.unit(1, bytes) + Self.unit(6, [0])).withUnsafeBytes { _ = try AV1Units($0, limits: .init()) }
        }
        let reason = "an AVIF with an AV1 sequence header of \(byteCount) bytes"
        #expect((error == .damaged(reason: reason)) == (byteCount > AV1Units.longestHeader))
    }

    @Test("metadata that a decoder would copy is limited, in one unit or in several")
    func limitsMetadata() throws {
        let cell = try HEIFFile.Cell(EncodedAVIF())
        let plain = try HEIFFile(cell).bytes.pixels()
        func file(_ units: [UInt8]) -> [UInt8] {
            var file = HEIFFile(cell)
            file.items[0].data = Self.inserting(units, behindHeaderOf: cell.data)
            return file.bytes
        }
        let most = AV1Units.mostMetadata
        #expect(try file(Self.metadata(most)).pixels().distance(to: plain) == 0)
        for units in [Self.metadata(most + 1), Self.metadata(most / 2) + Self.metadata(most / 2 + 1)] {
            #expect(throws: CodecError.damaged(reason: "an AVIF with more than \(most) bytes of AV1 metadata")) {
                try file(units).header()
            }
        }
    }
}

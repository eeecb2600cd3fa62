/// A marker segment of a JPEG, to splice into a file or to write one.
package struct JPEGSegment: Sendable {
    /// The marker's second byte.
    package var marker: UInt8
    /// The bytes after the length field, at most 65 533.
    package var payload: [UInt8]

    package init(_ marker: UInt8, _ payload: [UInt8]) {
        self.marker = marker
        self.payload = payload
    }

    /// Marker, length and payload.
    package var bytes: [UInt8] {
        let length = self.payload.count + 2
        return [0xFF, self.marker, UInt8(length >> 8), UInt8(length & 0xFF)] + self.payload
    }
}

extension JPEGSegment {
    /// JFIF's APP0, version 1.1, without a thumbnail.
    package static var jfif: JPEGSegment {
        JPEGSegment(0xE0, Array("JFIF\0".utf8) + [1, 1, 0, 0, 1, 0, 1, 0, 0])
    }

    /// Adobe's APP14.
    ///
    /// - Parameter transform: 0 none, 1 Y′CbCr, 2 YCCK.
    package static func adobe(transform: UInt8) -> JPEGSegment {
        JPEGSegment(0xEE, Array("Adobe".utf8) + [0, 100, 0, 0, 0, 0, transform])
    }

    /// The only chunk of an ICC profile with invalid content.
    package static var icc: JPEGSegment {
        JPEGSegment(0xE2, Array("ICC_PROFILE\0".utf8) + [1, 1] + [UInt8](repeating: 7, count: 40))
    }

    /// A comment of `byteCount` bytes that look like markers, which decoders must ignore.
    package static func comment(byteCount: Int) -> JPEGSegment {
        JPEGSegment(0xFE, (0..<byteCount).map { $0 % 2 == 0 ? 0xFF : 0xD9 })
    }

    /// EXIF's APP1 with one directory: the image's width, then its orientation.
    ///
    /// - Parameters:
    ///   - orientation: Any value, also an undefined one; `nil` omits the entry.
    ///   - type: The entry's type; 3 (SHORT) is correct.
    ///   - count: The entry's number of values; 1 is correct.
    package static func exif(
        orientation: UInt16?, isLittleEndian: Bool = true, type: UInt16 = 3, count: Int = 1
    ) -> JPEGSegment {
        func number(_ value: Int, _ byteCount: Int) -> [UInt8] {
            let bigEndian = (0..<byteCount).reversed().map { UInt8(value >> (8 * $0) & 0xFF) }
            return isLittleEndian ? bigEndian.reversed() : bigEndian
        }
        func entry(tag: Int, type: Int, count: Int, value: Int) -> [UInt8] {
            number(tag, 2) + number(type, 2) + number(count, 4) + number(value, 2) + [0, 0]
        }
        var entries = [entry(tag: 0x0100, type: 3, count: 1, value: 640)]
        if let orientation {
            entries.append(entry(tag: 0x0112, type: Int(type), count: count, value: Int(orientation)))
        }
        let header = Array((isLittleEndian ? "II" : "MM").utf8) + number(42, 2) + number(8, 4)
        let directory = number(entries.count, 2) + entries.flatMap(\.self) + number(0, 4)
        return JPEGSegment(0xE1, Array("Exif\0\0".utf8) + header + directory)
    }
}

extension [UInt8] {
    /// This JPEG with segments right after SOI.
    package func splicing(_ segments: JPEGSegment...) -> [UInt8] {
        Array(self.prefix(2)) + segments.flatMap(\.bytes) + Array(self.dropFirst(2))
    }
}

extension JPEGSegment {
    /// The segments of an ICC profile in `parts` chunks (ICC.1, B.4), in order.
    package static func profile(_ bytes: [UInt8], parts: Int = 1) -> [JPEGSegment] {
        let size = (bytes.count + parts - 1) / parts
        return (0..<parts).map { index in
            let part = bytes[min(index * size, bytes.count)..<min((index + 1) * size, bytes.count)]
            return JPEGSegment(0xE2, Array("ICC_PROFILE\0".utf8) + [UInt8(index + 1), UInt8(parts)] + part)
        }
    }
}

extension [UInt8] {
    /// This JPEG with segments right after SOI.
    package func splicing(_ segments: [JPEGSegment]) -> [UInt8] {
        Array(self.prefix(2)) + segments.flatMap(\.bytes) + Array(self.dropFirst(2))
    }
}

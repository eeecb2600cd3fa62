import HTTPSemantics
import HTTPServer
import HTTPTypes
import Hummingbird
import NIOCore

/// A picture that replaces a missing one: an even grey JPEG, so that a wall of posters has no gaps; for a logo a
/// transparent PNG, which covers nothing.
struct RPDBPlaceholder {
    /// The picture may exist soon. In seconds.
    private static let lifetime = 60
    /// The luma is 128 minus two times this, which takes ``bitCount`` bits.
    private static let darkness = 43
    private static let bitCount = 6

    /// One transparent pixel.
    static let png: [UInt8] = [
        0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52,
        0, 0, 0, 1, 0, 0, 0, 1, 8, 6, 0, 0, 0, 0x1F, 0x15, 0xC4,
        0x89, 0, 0, 0, 10, 0x49, 0x44, 0x41, 0x54, 0x78, 0x9C, 0x63, 0, 1, 0, 0,
        5, 0, 1, 0x0D, 0x0A, 0x2D, 0xB4, 0, 0, 0, 0, 0x49, 0x45, 0x4E, 0x44, 0xAE,
        0x42, 0x60, 0x82,
    ]

    private let bytes: ByteBuffer
    private let mediaType: String
    private let tag: EntityTag

    /// - Parameter box: In pixels.
    init(_ box: (width: Int, height: Int), of kind: RPDBPictureKind = .poster) {
        let isLogo = kind == .logo
        self.bytes = ByteBuffer(bytes: isLogo ? Self.png : Self.jpeg(width: box.width, height: box.height))
        self.mediaType = isLogo ? "image/png" : "image/jpeg"
        self.tag = EntityTag(digestOf: ["placeholder", isLogo ? "transparent" : "\(box.width)x\(box.height)"])
    }

    /// - Throws: ``Problem`` of the kind `precondition-failed`.
    func response(to conditions: Preconditions) throws(Problem) -> Response {
        var headers: HTTPFields = [
            .cacheControl: "public, max-age=\(Self.lifetime)", .contentTypeOptions: "nosniff",
            .eTag: self.tag.description,
        ]
        headers.openToAllOrigins()
        switch conditions.outcome(tag: self.tag, modifiedAt: nil) {
        case .failed: throw .preconditionFailed
        case .notModified:
            var response = Response(status: .notModified, headers: headers)
            response.headers[.contentLength] = nil
            return response
        case .met:
            headers[.contentType] = self.mediaType
            return Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: self.bytes))
        }
    }

    /// A baseline JPEG (ITU T.81) of one component: only the first block has a coefficient.
    static func jpeg(width: Int, height: Int) -> [UInt8] {
        let blocks = ((width + 7) / 8) * ((height + 7) / 8)
        var bytes: [UInt8] = [0xFF, 0xD8]
        // Quantisation by 16: a step of the DC coefficient is two levels.
        bytes += [0xFF, 0xDB, 0, 67, 0] + [UInt8](repeating: 16, count: 64)
        bytes += [0xFF, 0xC0, 0, 11, 8, UInt8(height >> 8), UInt8(height & 255), UInt8(width >> 8), UInt8(width & 255)]
        bytes += [1, 1, 0x11, 0]
        // DC: code 0 for no difference, 10 for one of six bits. AC: code 0 for the end of a block.
        bytes += [0xFF, 0xC4, 0, 21, 0x00, 1, 1] + [UInt8](repeating: 0, count: 14) + [0, UInt8(Self.bitCount)]
        bytes += [0xFF, 0xC4, 0, 20, 0x10, 1] + [UInt8](repeating: 0, count: 15) + [0]
        bytes += [0xFF, 0xDA, 0, 8, 1, 1, 0, 0, 63, 0]
        // 10, the complement of the difference in six bits, and the end of the block; two zeros for each other block.
        let bitCount = 9 + 2 * (blocks - 1)
        let first = 0b10 << 7 | ((1 << Self.bitCount) - 1 - Self.darkness) << 1
        var scan = [UInt8](repeating: 0, count: (bitCount + 7) / 8)
        scan[0] = UInt8(first >> 1)
        // Padded with ones (F.1.2.3); no byte is 255.
        let padding = scan.count * 8 - bitCount
        scan[scan.count - 1] |= UInt8((1 << padding) - 1)
        return bytes + scan + [0xFF, 0xD9]
    }
}

import HTTPSemantics
import NIOCore
import PosterCodec
package import PosterPipeline

/// The encoding of a variant for transfer to another store: its file, in memory.
package enum VariantMessage {
    /// The bytes are not a variant that this process can use.
    package struct Unusable: Error, Hashable, Sendable {
        package let reason: String
    }

    /// - Throws: Never in practice: texts and integers can always be encoded.
    package static func bytes(_ variant: StoredVariant, for key: VariantKey) throws -> [UInt8] {
        let header = VariantFileHeader(
            variant.poster, for: key, cpuNanoseconds: variant.cpuNanoseconds, encoding: variant.encoding)
        return try VariantFile.bytes(header, variant.poster.bytes)
    }

    /// - Returns: `nil` for another variant with the same fingerprint.
    /// - Throws: ``Unusable`` if it is damaged, or of another codec version.
    package static func variant(_ bytes: [UInt8], for key: VariantKey) throws(Unusable) -> StoredVariant? {
        let file: VariantFile
        do throws(VariantFile.Failure) {
            file = try VariantFile(bytes)
        } catch {
            switch error {
            case .outdated: throw Unusable(reason: "unsupported version")
            case .damaged(let reason): throw Unusable(reason: reason)
            case .absent, .unreadable: throw Unusable(reason: "unreadable")
            }
        }
        let header = file.header
        guard header.name == key.name, header.format == key.format else { return nil }
        let poster = Poster(
            bytes: file.bytes, entityTag: EntityTag(hexadecimal: header.tag), format: key.format,
            size: key.framing.size, encoding: header.encoding)
        return StoredVariant(
            poster: poster, cpuNanoseconds: min(header.cpuMicroseconds, 1 << 48) * 1000, encoding: header.encoding)
    }
}

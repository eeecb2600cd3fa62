import PosterCodec
import PosterPipeline

/// Originals of one colour each, which identifies the poster and the version, and their expected variants.
///
/// A resampled colour is the same colour, so every way to render a variant gives the same bytes. Made once for all
/// schedules. Used on one thread only.
enum SimulatedPictures {
    /// The name of an original: the index of its poster, and its version from 0 on.
    struct Name: Hashable {
        let poster: Int
        let version: Int
    }

    private struct VariantName: Hashable {
        let name: Name
        let target: RenderTarget
        let encoding: EncodingEffort
    }

    static let width = 24
    static let height = 32
    /// Versions from this one on have the bytes of earlier ones.
    static let versionLimit = 26 * 5

    nonisolated(unsafe) private static var originals: [Name: [UInt8]] = [:]
    nonisolated(unsafe) private static var names: [Digest: Name] = [:]
    nonisolated(unsafe) private static var variants: [VariantName: [UInt8]] = [:]

    /// The bytes that the origin sends.
    /// - Parameter isLong: Whether they are many enough to be decoded while they arrive.
    static func original(_ name: Name, isLong: Bool) -> [UInt8] {
        let picture = Self.picture(name)
        guard isLong else { return picture }
        // Every other one has its rows at the beginning.
        let bytes =
            name.version % 2 == 0
            ? SlowJPEG.bytes(unit: Self.encode(name, width: SlowJPEG.unitSide, height: SlowJPEG.unitSide))
            : picture + [UInt8](repeating: 0, count: SlowJPEG.byteCount - picture.count)
        Self.names[bytes.withUnsafeBytes { Digest(of: $0) }] = name
        return bytes
    }

    private static func picture(_ name: Name) -> [UInt8] {
        precondition(name.version < Self.versionLimit, "too many versions")
        if let known = Self.originals[name] { return known }
        let bytes = Self.encode(name, width: Self.width, height: Self.height)
        Self.originals[name] = bytes
        Self.names[bytes.withUnsafeBytes { Digest(of: $0) }] = name
        return bytes
    }

    /// A picture of the original's colour.
    private static func encode(_ name: Name, width: Int, height: Int) -> [UInt8] {
        let luma = Plane(width: width, height: height, filledWith: UInt8(24 + 8 * (name.version % 26)))
        let (width, height) = (width / 2, height / 2)
        let blue = Plane(width: width, height: height, filledWith: UInt8(70 + 30 * name.poster))
        let red = Plane(width: width, height: height, filledWith: UInt8(70 + 25 * (name.version / 26)))
        guard let bytes = try? JPEGEncoder(quality: 90).encode([luma, blue, red]) else {
            fatalError("a picture cannot be encoded")
        }
        return bytes
    }

    /// The original with these bytes; `nil` for no complete original.
    static func name(of digest: Digest) -> Name? { Self.names[digest] }

    static func variant(_ name: Name, _ target: RenderTarget, _ encoding: EncodingEffort) -> [UInt8] {
        let key = VariantName(name: name, target: target, encoding: encoding)
        if let known = Self.variants[key] { return known }
        let bytes = Self.picture(name)
        do {
            let header = try bytes.withUnsafeBytes { (buffer) throws(CodecError) in
                try inspect(buffer.bytes, limits: .init(), control: RenderControl())
            }
            let plan = try RenderPlan(header, target: target, limits: .init())
            var job = RenderJob(
                source: header, byteCount: bytes.count, targets: [RenderJob.Target(target)], scale: plan.scale)
            job.encoding = encoding
            let control = JobControl(targetCount: 1)
            let picture = try bytes.withUnsafeBytes { (buffer) throws(CodecError) in
                try decodeJob(buffer.bytes, job: job, control: control).pictures.next()
            }
            let made = try picture!.encode(control: control).takeBytes().withUnsafeBytes { [UInt8]($0) }
            Self.variants[key] = made
            return made
        } catch {
            fatalError("a variant cannot be rendered: \(error)")
        }
    }
}

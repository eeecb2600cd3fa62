import CodecTesting
import Testing

@testable import PosterCodec

/// Decoders deliver the planes that decisions assume.
@Suite struct DecodedPlaneTests {
    @Test(
        "the planes that a JPEG's header promises are those that the decoder delivers",
        arguments: FormulaPicture.Subsampling.allCases, [1, 2, 4, 8])
    func promisesPlanes(subsampling: FormulaPicture.Subsampling, eighths: Int) throws {
        let file = try FormulaPicture.gradient(width: 64, height: 96, subsampling: subsampling).jpeg()
        let target = RenderJob.Target(RenderTarget(width: 1, format: .jpeg))
        let job = RenderJob(
            source: try file.header(), byteCount: file.count, targets: [target], scale: .eighths(eighths))
        let plan = try job.plan(0)
        let layout = try file.span.bytes.withUnsafeBytes { (buffer) throws(CodecError) in
            try JPEGDecoder(buffer, plan.decoding, watch: RenderWatch(.init(), limits: .init())).layout
        }
        let planes = DecodedPlane.planes(of: plan.source, at: plan.scale)
        #expect(planes.map(\.across) == layout.planes.map(\.samplesPerPixel.across))
        #expect(planes.map(\.down) == layout.planes.map(\.samplesPerPixel.down))
        #expect(planes.map(\.scale) == layout.planes.map(\.scale))
        #expect(planes.map(\.isChroma) == [false, true, true].prefix(planes.count).map { $0 })
    }

    @Test("the planes of lossy WebP files are those that the decoder delivers", arguments: [1, 2, 3, 4])
    func promisesWebPPlanes(denominator: Int) throws {
        let file = try FormulaPicture.gradient(width: 96, height: 192).jpeg().rendered(width: nil, format: .webp).bytes
        let target = RenderJob.Target(RenderTarget(width: 1, format: .jpeg))
        let job = RenderJob(
            source: try file.header(), byteCount: file.count, targets: [target], scale: .one(in: denominator))
        // Alone, a target of one pixel would need a smaller decode.
        let plan = try job.plan(0)
        let layout = try file.span.bytes.withUnsafeBytes { (buffer) throws(CodecError) in
            try WebPDecoder(buffer, plan.decoding, watch: RenderWatch(.init(), limits: .init())).layout
        }
        let planes = DecodedPlane.planes(of: plan.source, at: plan.scale)
        #expect(planes.count == layout.planes.count)
        for (planned, decoded) in zip(planes, layout.planes) {
            #expect(abs(planned.across / decoded.samplesPerPixel.across - 1) < 0.05)
            #expect(abs(planned.down / decoded.samplesPerPixel.down - 1) < 0.05)
            #expect(planned.scale == decoded.scale)
        }
    }
}

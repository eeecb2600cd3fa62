import PictureTesting
import PosterCodec
import Testing

@testable import PosterAPI

struct RPDBPlaceholderTests {
    @Test func aMissingLogoIsTransparent() throws {
        let bytes = RPDBPlaceholder.png
        guard case .header(let header) = try probe(bytes.span.bytes) else {
            Issue.record("the header is incomplete")
            return
        }
        #expect(header.hasAlpha)
        let plan = try RenderPlan(header, target: RenderTarget(width: 16, format: .png))
        #expect(try !render(bytes.span.bytes, plan: plan).bytes.isEmpty)
    }

    @Test("a placeholder is a JPEG of its box", arguments: [(580, 859), (2000, 2962), (780, 244), (1, 1), (8, 9)])
    func isAPicture(width: Int, height: Int) throws {
        let bytes = RPDBPlaceholder.jpeg(width: width, height: height)
        #expect(JPEGSize(bytes) == JPEGSize(width: width, height: height))
        #expect(bytes.count < 32 << 10)
        guard width > 16 else { return }
        guard case .header(let header) = try probe(bytes.span.bytes) else {
            Issue.record("the header is incomplete")
            return
        }
        let plan = try RenderPlan(header, target: RenderTarget(width: 16, format: .png))
        #expect(try !render(bytes.span.bytes, plan: plan).bytes.isEmpty)
    }
}

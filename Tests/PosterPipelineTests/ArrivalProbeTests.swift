import PosterCodec
import PosterPipeline
import PosterTesting
import Testing

struct ArrivalProbeTests {
    /// How many bytes pass before the refusal, one by one; nil when all do.
    private func refusal(_ bytes: [UInt8], limits: CodecLimits = .init()) -> (count: Int, error: PosterError)? {
        var probe = OriginalVerifier(limits: limits).makeArrivalProbe()
        for (index, byte) in bytes.enumerated() {
            do throws(PosterError) {
                try [byte].span.bytes.withUnsafeBytes { (buffer) throws(PosterError) in try probe.receive(buffer) }
            } catch {
                return (index + 1, error)
            }
        }
        return nil
    }

    @Test func aPictureWithinTheLimitsPasses() {
        #expect(self.refusal(TestPicture.jpeg(width: 100, height: 150)) == nil)
    }

    @Test func aPageIsRefusedAtItsBeginning() throws {
        let page = Array("<!DOCTYPE html><html>".utf8) + [UInt8](repeating: 32, count: 10_000)
        let (count, error) = try #require(self.refusal(page))
        #expect(count <= 512)
        #expect(error == .badOriginal(reason: "what it sent is not an image but an HTML page"))
    }

    @Test func tooManyPixelsAreRefusedAtTheHeader() throws {
        var limits = CodecLimits()
        limits.maxPixels = 100 * 150 - 1
        let picture = TestPicture.jpeg(width: 100, height: 150)
        let (count, error) = try #require(self.refusal(picture, limits: limits))
        #expect(count < picture.count / 2)
        #expect(error == .overLimit(reason: "over the limit of pixels: it has 15000, allowed are 14999"))
    }

    @Test func aHeaderThatDoesNotComeIsLeftToTheVerifier() {
        // Comments without end.
        let segment: [UInt8] = [0xFF, 0xFE, 0xFF, 0xFF] + [UInt8](repeating: 0, count: 0xFFFD)
        let bytes = [0xFF, 0xD8] + (0..<8).flatMap { _ in segment }
        var probe = OriginalVerifier().makeArrivalProbe()
        #expect(throws: Never.self) { try bytes.withUnsafeBytes { try probe.receive($0) } }
    }

    @Test func afterARestartItLooksAnew() throws {
        var probe = OriginalVerifier().makeArrivalProbe()
        let picture = TestPicture.jpeg(width: 100, height: 150)
        try picture.prefix(20).withUnsafeBytes { try probe.receive($0) }
        probe.restart()
        try picture.withUnsafeBytes { try probe.receive($0) }
        probe.restart()
        let page = Array("<!DOCTYPE html><html>".utf8) + [UInt8](repeating: 32, count: 512)
        #expect(throws: PosterError.self) { try page.withUnsafeBytes { try probe.receive($0) } }
    }
}

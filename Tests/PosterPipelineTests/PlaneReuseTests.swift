import PosterCodec
import Testing

@testable import PosterPipeline

struct PlaneReuseTests {
    private let first = DecodeSharing.Decode.retainingCostFactor

    private func digest(_ number: Int) -> Digest { Digest(of: "\(number)") }

    @Test("planes stay until it is known that they are not used")
    func unknown() {
        var reuse = PlaneReuse()
        #expect(reuse.costFactor(for: nil) == self.first && reuse.costFactor(for: self.digest(0)) == self.first)
        for number in 0..<200 { reuse.noteDecode(of: self.digest(number)) }
        #expect(reuse.share < PlaneReuse.leastShare)
        #expect(reuse.costFactor(for: nil) == nil && reuse.costFactor(for: self.digest(-1)) == nil)
    }

    @Test("an original that is decoded again leaves planes, at a higher cost while planes are used")
    func again() throws {
        var reuse = PlaneReuse()
        reuse.noteDecode(of: self.digest(0))
        #expect(try #require(reuse.costFactor(for: self.digest(0))) > self.first)
        for number in 0..<200 { reuse.noteDecode(of: self.digest(number)) }
        #expect(reuse.costFactor(for: self.digest(199)) == self.first)
        #expect(reuse.costFactor(for: self.digest(200 - PlaneReuse.recentCount)) == self.first)
        #expect(reuse.costFactor(for: self.digest(199 - PlaneReuse.recentCount)) == nil)
    }

    @Test("planes stay of all originals while one decode in ten is of an original that was decoded shortly before")
    func share() {
        var reuse = PlaneReuse()
        for number in 0..<200 { reuse.noteDecode(of: self.digest(number)) }
        for number in 0..<1000 {
            reuse.noteDecode(of: self.digest(number))
            if number % 5 == 0 { reuse.noteDecode(of: self.digest(number)) }
        }
        #expect(reuse.costFactor(for: nil) == self.first)
        for number in 0..<1000 {
            reuse.noteDecode(of: self.digest(number))
            if number % 50 == 0 { reuse.noteUse() }
        }
        #expect(reuse.costFactor(for: nil) == nil)
    }

    @Test("planes of every decode stay for what is rendered ahead, however seldom they are used")
    func ahead() {
        var reuse = PlaneReuse()
        reuse.keepsAll = true
        for number in 0..<200 { reuse.noteDecode(of: self.digest(number)) }
        #expect(reuse.costFactor(for: nil) == self.first && reuse.costFactor(for: self.digest(-1)) == self.first)
    }
}

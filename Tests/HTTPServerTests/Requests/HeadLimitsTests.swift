import HTTPTypes
import NIOHTTP1
import Testing

@testable import HTTPSemantics
@testable import HTTPServer

struct HeadLimitsTests {
    private func problem(_ fields: HTTPFields, path: String = "/") -> Problem? {
        let request = HTTPRequest(method: .get, scheme: nil, authority: nil, path: path, headerFields: fields)
        do throws(Problem) {
            try HeadLimits.check(request)
            return nil
        } catch {
            return error
        }
    }

    private func fields(_ count: Int, name: HTTPField.Name = HTTPField.Name("X")!, value: String = "") -> HTTPFields {
        HTTPFields(Array(repeating: HTTPField(name: name, value: value), count: count))
    }

    @Test func soManyFieldsAreAllowedAndNoMore() throws {
        #expect(self.problem(self.fields(HeadLimits.fieldCount)) == nil)
        let problem = try #require(self.problem(self.fields(HeadLimits.fieldCount + 1)))
        #expect(problem.kind == .headerTooLarge && problem.kind.status == 431)
        #expect(problem.detail == "the request has 101 header fields; the maximum is 100")
    }

    @Test func soManyBytesAreAllowedAndNoMore() throws {
        let value = String(repeating: "a", count: HeadLimits.byteCount - 3)
        #expect(self.problem(self.fields(1, value: value), path: "/x") == nil)
        let problem = try #require(self.problem(self.fields(1, value: value), path: "/xy"))
        #expect(problem.kind == .headerTooLarge && problem.detail.contains("32769 bytes; the maximum is 32768"))
    }

    @Test func theCrumbsOfACookieAreOneField() {
        #expect(self.problem(self.fields(500, name: .cookie, value: "a=b")) == nil)
        #expect(self.problem(self.fields(9000, name: .cookie, value: "a=b")) != nil)
    }

    @Test func theDecoderTakesWhatIsRefusedWithASentence() {
        let decoder = HeadLimits.decoder
        #expect(decoder.maxHeaderFieldCount > HeadLimits.fieldCount)
        #expect(decoder.maxHeaderListSize > HeadLimits.byteCount)
        #expect(decoder.maxHeaderFieldSize > HeadLimits.byteCount)
    }
}

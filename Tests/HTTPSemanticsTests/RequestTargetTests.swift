import Testing

@testable import HTTPSemantics

struct RequestTargetTests {
    @Test func aPlusIsASpaceOnlyWhereFormsAreRead() throws {
        let target = RequestTarget("/movies/search?query=a+b%2Bc")
        #expect(try target.parameters(plusIsSpace: true).map(\.value) == ["a b+c"])
        #expect(try target.parameters().map(\.value) == ["a+b+c"])
    }
}

import HTTPSemantics
import NIOCore
import Testing

@testable import HTTPServer

struct EncodedResponseSlotTests {
    private func document(_ values: [String], caching: EncodedResponse.CachePolicy = .shared(seconds: 60)) throws
        -> EncodedResponse
    {
        try EncodedResponse.json(values, caching: caching, variance: .language, hasSlots: true)
    }

    private func text(_ response: EncodedResponse) -> String { String(buffer: response.bytes) }

    @Test func slotsAreFilledInTheirPlaces() throws {
        let document = try self.document(
            [
                "first", EncodedResponse.slotText("a"), "\"quoted\"", EncodedResponse.slotText("b-1:2"),
                EncodedResponse.slotText("a"),
            ])
        #expect(document.slots.map(\.name) == ["a", "b-1:2", "a"])
        let filled = document.filled { name in name == "a" ? "true,1" : "null" }
        #expect(self.text(filled) == #"["first",true,1,"\"quoted\"",null,true,1]"#)
        #expect(filled.caching == .own && filled.variance == [.language, .caller] && filled.slots.isEmpty)
        #expect(document.caching == .shared(seconds: 60) && document.variance == .language)
    }

    @Test func aDocumentWithoutSlotsStaysAsItIs() throws {
        for values in [[], ["a"], ["slot:0123456789abcdef:a", "\"slot:\(EncodedResponse.slotText("a"))"]] {
            let document = try self.document(values)
            #expect(document.slots.isEmpty, "\(values)")
            #expect(document.filled { _ in "1" }.bytes == document.bytes)
        }
    }

    @Test func theTagChangesWithWhatIsFilledIn() throws {
        let document = try self.document([EncodedResponse.slotText("a"), EncodedResponse.slotText("b")])
        let tags = [["1", "2"], ["2", "1"], ["12", ""], ["1", "2"]].map { texts in
            var rest = texts[...]
            return document.filled { _ in rest.removeFirst() }.tag
        }
        #expect(Set(tags).count == 3 && tags[0] == tags[3] && !tags.contains(document.tag))
        #expect(try self.document([EncodedResponse.slotText("a"), EncodedResponse.slotText("c")]).tag != document.tag)
    }

    @Test func theTagIsTheSameInAllProcesses() throws {
        // The digest does not include the random text.
        let tag = EntityTag(digestOf: ["json", "[\"x\",", "a", "]"])
        #expect(try self.document(["x", EncodedResponse.slotText("a")]).tag == tag)
    }

    @Test func whatNoCacheMayStoreStaysSo() throws {
        #expect(try self.document([EncodedResponse.slotText("a")], caching: .none).filled { _ in "1" }.caching == .none)
    }
}

import HTTPSemantics
import Testing

struct PercentEncodingTests {
    @Test func percentEncodingRoundTrips() {
        for text in ["", "a b", "하녀", "100%", "a/b?c#d&e", "~-._"] {
            #expect(PercentEncoding.decode(PercentEncoding.encode(text.utf8)[...]) == text)
        }
    }
}

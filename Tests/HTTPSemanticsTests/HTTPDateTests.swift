import HTTPSemantics
import Testing

struct HTTPDateTests {
    @Test(
        "reads all three forms",
        arguments: [
            ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777), ("Sunday, 06-Nov-94 08:49:37 GMT", 784_111_777),
            ("Sun Nov  6 08:49:37 1994", 784_111_777), ("sun, 06 nov 1994 08:49:37 gmt", 784_111_777),
            ("Thu, 01 Jan 1970 00:00:00 GMT", 0), ("Tue, 29 Feb 2000 00:00:00 GMT", 951_782_400),
            ("Thu, 31 Dec 2099 23:59:59 GMT", 4_102_444_799), ("Thu, 29 Feb 2024 23:59:60 GMT", 1_709_251_200),
            ("Fri, 01-Jan-27 00:00:00 GMT", 1_798_761_600), ("Sat, 06 Nov 0094 08:49:37 GMT", -59_174_032_223),
            ("Tuesday, 01-Jan-69 00:00:00 GMT", 3_124_224_000), ("Thursday, 01-Jan-70 00:00:00 GMT", 0),
            ("Sun, 6 Nov 1994 08:49:37 GMT", 784_111_777),
        ] as [(String, Int64)])
    func reads(text: String, seconds: Int64) {
        #expect(HTTPDate.seconds(text) == seconds)
    }

    @Test(
        "is no date",
        arguments: [
            "", "0", "yesterday", "Sun, 06 Nov 1994 08:49:37", "Sun, 06 Nov 1994 08:49:37 CET",
            "Sun, 30 Feb 1994 08:49:37 GMT", "Sun, 30 Feb 1994 23:59:60 GMT",
            "Sun, 32 Nov 1994 08:49:37 GMT",
            "Sun, 06 Nov 1994 24:49:37 GMT", "Sun, 06 Nov 1994 08:60:37 GMT", "Sun, 06 Nov 1994 8:49:37 GMT",
            "Sun, -6 Nov 1994 08:49:37 GMT", "Sun, 06 Nox 1994 08:49:37 GMT", "06 Nov 1994 08:49:37 GMT",
            "Sun, 06 Nov 1994 08:49:37 GMT, Sun, 06 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 199999 08:49:37 GMT",
            "Sun, 06 Nov 19999 08:49:37 GMT", "Sun, 06 Nov 199 08:49:37 GMT", "Sun, 06 Nov 4 08:49:37 GMT",
            "Sun, 006 Nov 1994 08:49:37 GMT", "Sun, 00 Nov 1994 08:49:37 GMT", "Sun, +6 Nov 1994 08:49:37 GMT",
            "Sun, 06 Nov 1994 008:49:37 GMT", "Sun, 06 Nov 1994 08:4:37 GMT", "Sun, 06 Nov 1994 08:049:37 GMT",
            "Sun, 06 Nov 1994 08:49:7 GMT", "Sun, 06 Nov 1994 08:49:037 GMT", "Sun, 06 Nov 1994 08:49:61 GMT",
            "Sun, 06 Nov 1994 08:49:37:00 GMT", "Sun, 06 Nov 1994 08:49::37 GMT", "Sun, 06 Nov 1994 99:49:37 GMT",
            "Sunday, 06--Nov-94 08:49:37 GMT", "Sunday, 06-Nov-94-1 08:49:37 GMT", "Xun, 06 Nov 1994 08:49:37 GMT",
        ])
    func isNone(text: String) {
        #expect(HTTPDate.seconds(text) == nil)
    }

    @Test("a date of more than 64 bytes is none")
    func length() {
        let date = "Sun, 06 Nov 1994 08:49:37 GMT"
        #expect(HTTPDate.seconds(date + String(repeating: " ", count: 64 - date.utf8.count)) == 784_111_777)
        #expect(HTTPDate.seconds(date + String(repeating: " ", count: 65 - date.utf8.count)) == nil)
    }

    @Test(
        "is written as IMF-fixdate",
        arguments: [
            (784_111_777, "Sun, 06 Nov 1994 08:49:37 GMT"), (9, "Thu, 01 Jan 1970 00:00:09 GMT"),
            (10, "Thu, 01 Jan 1970 00:00:10 GMT"), (4_102_444_799, "Thu, 31 Dec 2099 23:59:59 GMT"),
        ])
    func writes(second: Int, text: String) {
        #expect(HTTPDate.text(second) == text)
    }
}

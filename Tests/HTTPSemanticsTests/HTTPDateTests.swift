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
        ])
    func isNone(text: String) {
        #expect(HTTPDate.seconds(text) == nil)
    }
}

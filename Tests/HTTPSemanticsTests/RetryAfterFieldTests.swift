import HTTPSemantics
import Testing

struct RetryAfterFieldTests {
    private static let date = "Sun, 06 Nov 1994 08:49:37 GMT"
    private static let second: Int64 = 784_111_777

    @Test("a wait is a number of seconds, or lasts until a date")
    func waits() {
        #expect(RetryAfter.wait("120", at: Self.second) == .seconds(120))
        #expect(RetryAfter.wait(Self.date, at: Self.second - 90) == .seconds(90))
        for text in ["", "x", "-1", "1.5"] { #expect(RetryAfter.wait(text, at: 0) == nil, "\(text)") }
    }

    @Test("a date in the past is no wait, and a wait is at most 2³¹ seconds")
    func bounds() {
        #expect(RetryAfter.wait(Self.date, at: Self.second) == .zero)
        #expect(RetryAfter.wait(Self.date, at: Self.second + 9) == .zero)
        #expect(RetryAfter.wait(Self.date, at: Self.second - 1 << 31) == .seconds(1 << 31))
        #expect(RetryAfter.wait(Self.date, at: Self.second - 1 << 32) == .seconds(1 << 31))
    }

    @Test("a wait is written in whole seconds, rounded up, at least 1")
    func written() {
        for (wait, seconds) in [
            (.seconds(-3), 1), (.zero, 1), (.milliseconds(1), 1), (.seconds(1), 1), (.milliseconds(1001), 2),
            (.seconds(2), 2), (Duration(secondsComponent: 2, attosecondsComponent: 1), 3), (.seconds(600), 600),
        ] as [(Duration, Int)] {
            #expect(RetryAfter.seconds(wait) == seconds, "\(wait)")
        }
    }
}

import MovieDomain
import MovieHTTP

/// Texts in Naver's format: HTML, with matches of the query in `<b>`.
enum NaverText {
    /// Maximum number of the query's words that are marked in a title.
    private static let wordLimit = 16

    /// - Parameter query: Marked as a whole if the title contains it, else word by word.
    static func title(_ title: String, query: String) -> String {
        let characters = Array(title)
        let folded = characters.map { $0.lowercased() }
        var isMatch = [Bool](repeating: false, count: characters.count)
        let whole = query.split(whereSeparator: \.isWhitespace)
        if !Self.mark(whole.joined(separator: " "), in: folded, &isMatch) {
            for word in whole.prefix(Self.wordLimit) { _ = Self.mark(String(word), in: folded, &isMatch) }
        }
        var text = ""
        var wasMatch = false
        for (character, isMatch) in zip(characters, isMatch) {
            if isMatch != wasMatch { text += isMatch ? "<b>" : "</b>" }
            wasMatch = isMatch
            text += HTMLText.escape(String(character))
        }
        return wasMatch ? text + "</b>" : text
    }

    /// Names, each followed by `|`.
    static func names(_ names: [String]) -> String {
        names.filter { !$0.isEmpty }.map { name in
            // By bytes, as clients split the text.
            let bytes = name.utf8.map { $0 == UInt8(ascii: "|") ? UInt8(ascii: " ") : $0 }
            return HTMLText.escape(String(decoding: bytes, as: UTF8.self)) + "|"
        }.joined()
    }

    /// - Returns: Whether the text contains the word.
    private static func mark(_ word: String, in text: [String], _ isMatch: inout [Bool]) -> Bool {
        let word = word.map { $0.lowercased() }
        guard !word.isEmpty, word.count <= text.count else { return false }
        var found = false
        var start = 0
        while start + word.count <= text.count {
            guard text[start..<start + word.count].elementsEqual(word) else {
                start += 1
                continue
            }
            for place in start..<start + word.count { isMatch[place] = true }
            found = true
            start += word.count
        }
        return found
    }
}

/// Naver's date format: RFC 822 with the year of RFC 1123, in Korean time, such as `Mon, 19 Nov 2018 09:37:47 +0900`.
enum NaverDate {
    private static let secondsFromGreenwich: Int64 = 9 * 3600
    private static let weekdays = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    static func text(_ instant: Instant) -> String {
        let date = instant.date(secondsFromGreenwich: Self.secondsFromGreenwich)
        let second = instant.secondsSince1970 + Self.secondsFromGreenwich - Int64(date.dayNumber) * 86_400
        let time = [second / 3600, second / 60 % 60, second % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }
        let day = date.day < 10 ? "0\(date.day)" : "\(date.day)"
        return "\(Self.weekdays[date.weekday - 1]), \(day) \(Self.months[date.month - 1]) \(date.year) "
            + "\(time.joined(separator: ":")) +0900"
    }
}

import MovieDomain

/// The interface's texts, dates and numbers in one language.
struct PageFormats: Sendable {
    let table: TranslatedTexts
    /// The interface's language: one of ``TranslatedTexts/languages``.
    let language: Language

    func callAsFunction(_ key: String, count: Int? = nil, _ values: KeyValuePairs<String, String> = [:]) -> String {
        self.table.text(key, in: self.language, count: count, values)
    }

    /// For example `5 May 2024`.
    func long(_ date: CalendarDate) -> String { self.date("dateLong", date) }

    /// For example `5 May 2024`, `2024/5/5`.
    func short(_ date: CalendarDate) -> String { self.date("dateShort", date) }

    func withWeekday(_ date: CalendarDate) -> String { self.date("dateWeekday", date) }

    /// A range of days; a single day has no dash.
    func range(_ first: CalendarDate, _ last: CalendarDate) -> String {
        first == last
            ? self.long(first) : self("dateRange", ["from": self.long(first), "to": self.long(last)])
    }

    /// With thousands separators.
    func count(_ number: Int) -> String {
        number < 0 ? "−" + (-number).groupedByThousands : number.groupedByThousands
    }

    /// For example `402.8K`.
    func compact(_ number: Int) -> String {
        CompactCount(number, in: LanguagePreference([self.language])).description
    }

    /// A text about a number, which `{compact}` abbreviates.
    func compact(_ key: String, _ number: Int) -> String {
        self(key, count: number, ["compact": self.compact(number)])
    }

    /// For example `2 h 15 min`, or `45 minutes` below an hour.
    func runtime(minutes: Int) -> String {
        guard minutes >= 60 else { return self("filmMinutes", count: minutes) }
        return self("filmHoursMinutes", ["hours": String(minutes / 60), "minutes": String(minutes % 60)])
    }

    /// With one decimal, rounded half away from zero.
    func score(_ score: Double) -> String {
        let tenths = Int((score * 10).rounded(.toNearestOrAwayFromZero))
        return "\(tenths / 10).\(abs(tenths % 10))"
    }

    /// The elapsed time in whole minutes, hours or days; at least one minute.
    func ago(seconds: Int64) -> String {
        let minutes = max(1, seconds / 60)
        if minutes < 60 { return self("agoMinutes", count: Int(minutes)) }
        if minutes < 24 * 60 { return self("agoHours", count: Int(minutes / 60)) }
        return self("agoDays", count: Int(minutes / (24 * 60)))
    }

    func list(_ names: [String]) -> String {
        let separator = self("listSeparator")
        // Cells of the table cannot end with a space.
        return names.joined(separator: separator == "," ? ", " : separator)
    }

    private func date(_ pattern: String, _ date: CalendarDate) -> String {
        self(
            pattern,
            [
                "y": String(date.year), "m": String(date.month), "d": String(date.day),
                "month": self.name("months", date.month), "mon": self.name("monthsShort", date.month),
                "weekday": self.name("weekdays", date.weekday),
            ])
    }

    /// - Parameter number: From 1.
    private func name(_ list: String, _ number: Int) -> String {
        let names = self(list).split(separator: " ")
        return names.indices.contains(number - 1) ? String(names[number - 1]) : String(number)
    }
}

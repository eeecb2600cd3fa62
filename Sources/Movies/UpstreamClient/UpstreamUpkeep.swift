package import MovieDomain

/// What a client remembers beside answers.
struct UpstreamUpkeep {
    /// The day of the upstream that requests were counted on, and how many there were.
    private(set) var day: CalendarDate?
    private(set) var spent = 0
    /// When answers that are too old are removed next.
    private var nextRemoval = Instant(secondsSince1970: .min)
    /// Whether the store fails, which is told when it begins and when it ends.
    var isStoreFailing = false
    /// Whether our key was refused the last time that anything was said, which is told once each time that it begins.
    var isKeyRefused = false

    /// Until when nothing is asked, because the upstream is busy.
    private var busyUntil = Instant(secondsSince1970: .min)
    /// How often in a row it said so, and did not say for how long.
    private var busyCount = 0

    /// How many requests were counted on a day.
    func spent(on day: CalendarDate) -> Int { self.day == day ? self.spent : 0 }

    /// Counts a request.
    mutating func spend(on day: CalendarDate) {
        self.note(spent: self.spent(on: day) + 1, on: day)
    }

    /// There were so many requests on a day.
    mutating func note(spent: Int, on day: CalendarDate) {
        self.spent = max(self.spent(on: day), spent)
        self.day = day
    }

    /// A request that was counted was not sent.
    mutating func giveBack(on day: CalendarDate) {
        if self.day == day, self.spent > 0 { self.spent -= 1 }
    }

    /// For how many seconds nothing is to be asked; nil when something may be.
    func secondsBusy(at now: Instant) -> Int? {
        self.busyUntil > now ? Int(clamping: self.busyUntil.secondsSince1970 - now.secondsSince1970) : nil
    }

    /// It wants to be left alone for so long.
    mutating func noteBusy(seconds: Int, at now: Instant) {
        self.busyUntil = max(self.busyUntil, now.adding(.seconds(seconds)))
    }

    /// It is busy, and does not say for how long.
    ///
    /// - Parameter limits: How long it is left alone at first, and at most, in seconds; each time in a row it is twice as long.
    /// - Returns: For how many seconds it is left alone.
    mutating func noteBusy(within limits: ClosedRange<Int>, at now: Instant) -> Int {
        // Those who were under way together are told so together: that is once.
        if let seconds = self.secondsBusy(at: now) { return seconds }
        let seconds = min(limits.lowerBound << min(self.busyCount, 16), limits.upperBound)
        self.busyCount += 1
        self.noteBusy(seconds: seconds, at: now)
        return seconds
    }

    /// It answers.
    mutating func noteAnswer(at now: Instant) {
        if self.secondsBusy(at: now) == nil { self.busyCount = 0 }
    }

    /// Whether answers that are too old are to be removed now: once an hour.
    mutating func takeRemoval(at now: Instant) -> Bool {
        guard self.nextRemoval <= now else { return false }
        self.nextRemoval = now.adding(.seconds(3600))
        return true
    }
}

extension Instant {
    /// So much later, in whole seconds.
    package func adding(_ duration: Duration) -> Instant {
        Instant(secondsSince1970: self.secondsSince1970 + duration.components.seconds)
    }
}

package import MovieDomain

/// What an ``UpstreamClient`` remembers beside responses: the day's requests, its pause, and what it has logged.
struct UpstreamState {
    /// The upstream's day that requests were counted on.
    private var day: CalendarDate?
    private var requestCount = 0
    /// When responses that are too old are removed next.
    private var nextRemoval = Instant(secondsSince1970: .min)
    /// Whether the store failed the last time.
    var isStoreFailing = false
    /// Whether the last response or failure was a refused key.
    var isKeyRefused = false
    /// The end of the pause.
    private var busyUntil = Instant(secondsSince1970: .min)
    /// Consecutive busy responses without `Retry-After`.
    private var busyCount = 0

    /// How many requests were counted on a day.
    func requestCount(on day: CalendarDate) -> Int { self.day == day ? self.requestCount : 0 }

    mutating func charge(on day: CalendarDate) { self.note(requestCount: self.requestCount(on: day) + 1, on: day) }

    /// Raises the count of a day to what the store counted.
    mutating func note(requestCount: Int, on day: CalendarDate) {
        self.requestCount = max(self.requestCount(on: day), requestCount)
        self.day = day
    }

    /// Takes the count of a request back that was not sent.
    mutating func refund(on day: CalendarDate) {
        if self.day == day, self.requestCount > 0 { self.requestCount -= 1 }
    }

    /// Seconds until the pause ends; nil without one.
    func secondsBusy(at now: Instant) -> Int? {
        self.busyUntil > now ? Int(clamping: self.busyUntil.secondsSince1970 - now.secondsSince1970) : nil
    }

    /// Pauses for at least so many seconds.
    mutating func noteBusy(seconds: Int, at now: Instant) {
        self.busyUntil = max(self.busyUntil, now.adding(.seconds(seconds)))
    }

    /// Pauses after a busy response without `Retry-After`.
    ///
    /// - Parameter limits: The first pause and the longest, in seconds; consecutive ones double.
    /// - Returns: The pause in seconds.
    mutating func noteBusy(within limits: ClosedRange<Int>, at now: Instant) -> Int {
        // Requests that were in flight together and are all refused count once.
        if let seconds = self.secondsBusy(at: now) { return seconds }
        let seconds = min(limits.lowerBound << min(self.busyCount, 16), limits.upperBound)
        self.busyCount += 1
        self.noteBusy(seconds: seconds, at: now)
        return seconds
    }

    /// Resets the doubling of pauses.
    mutating func noteResponse(at now: Instant) {
        if self.secondsBusy(at: now) == nil { self.busyCount = 0 }
    }

    /// Whether responses that are too old are to be removed now: once an hour.
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

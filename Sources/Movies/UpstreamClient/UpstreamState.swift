package import MovieDomain

/// The mutable state of an ``UpstreamClient`` except responses: the day's requests, the pause, and flags of logged
/// failures.
struct UpstreamState {
    /// The upstream's day of ``requestCount``.
    private var day: CalendarDate?
    private var requestCount = 0
    /// The next removal of expired responses.
    private var nextRemoval = Instant(secondsSince1970: .min)
    var isStoreFailing = false
    /// Whether the upstream has rejected the key since the last success.
    var isKeyRefused = false
    private var busyUntil = Instant(secondsSince1970: .min)
    /// The number of consecutive busy responses without `Retry-After`.
    private var busyCount = 0

    func requestCount(on day: CalendarDate) -> Int { self.day == day ? self.requestCount : 0 }

    mutating func charge(on day: CalendarDate) { self.note(requestCount: self.requestCount(on: day) + 1, on: day) }

    /// Raises a day's count to the store's count.
    mutating func note(requestCount: Int, on day: CalendarDate) {
        self.requestCount = max(self.requestCount(on: day), requestCount)
        self.day = day
    }

    mutating func refund(on day: CalendarDate) {
        if self.day == day, self.requestCount > 0 { self.requestCount -= 1 }
    }

    /// The seconds until the pause ends; `nil` if there is none.
    func secondsBusy(at now: Instant) -> Int? {
        self.busyUntil > now ? Int(clamping: self.busyUntil.secondsSince1970 - now.secondsSince1970) : nil
    }

    mutating func noteBusy(seconds: Int, at now: Instant) {
        self.busyUntil = max(self.busyUntil, now.adding(.seconds(seconds)))
    }

    /// Pauses after a busy response without `Retry-After`.
    ///
    /// - Parameter limits: The first and the longest pause in seconds; consecutive pauses double.
    /// - Returns: The pause in seconds.
    mutating func noteBusy(within limits: ClosedRange<Int>, at now: Instant) -> Int {
        // Concurrent requests that are all refused count once.
        if let seconds = self.secondsBusy(at: now) { return seconds }
        let seconds = min(limits.lowerBound << min(self.busyCount, 16), limits.upperBound)
        self.busyCount += 1
        self.noteBusy(seconds: seconds, at: now)
        return seconds
    }

    /// Resets the doubling of pauses, unless one is in progress.
    mutating func noteResponse(at now: Instant) {
        if self.secondsBusy(at: now) == nil { self.busyCount = 0 }
    }

    /// Whether a removal of expired responses is due, once an hour; schedules the next one.
    mutating func takeRemoval(at now: Instant) -> Bool {
        guard self.nextRemoval <= now else { return false }
        self.nextRemoval = now.adding(.seconds(3600))
        return true
    }
}

extension Instant {
    /// The instant after a duration, in whole seconds.
    package func adding(_ duration: Duration) -> Instant {
        Instant(secondsSince1970: self.secondsSince1970 + duration.components.seconds)
    }
}

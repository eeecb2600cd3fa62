import MovieDomain

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

    /// Counts a request.
    mutating func spend(on day: CalendarDate) -> Int {
        if self.day != day { (self.day, self.spent) = (day, 0) }
        self.spent += 1
        return self.spent
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
    func adding(_ duration: Duration) -> Instant {
        Instant(secondsSince1970: self.secondsSince1970 + duration.components.seconds)
    }
}

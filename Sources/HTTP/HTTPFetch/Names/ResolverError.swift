/// Why a name has no addresses.
enum NameFailure: Error, Hashable {
    /// Nobody knows it.
    case notFound
    /// The system's resolver could not ask, or was told to ask again later.
    case unanswered
    /// The process or the system has too many files open.
    case outOfDescriptors
    /// Too many lookups hang, or there is no thread; nobody was asked.
    case busy

    /// Whether it is true for a while.
    var isLasting: Bool { self == .notFound }

    /// What it means to a hop; the origin has no part in it.
    var hopFailure: HopFailure {
        switch self {
        case .notFound: .notTheOrigins(.resolutionFailed)
        case .unanswered: .notTheOrigins(.resolutionFailed, isPassing: true)
        case .outOfDescriptors: .notTheOrigins(.outOfDescriptors)
        case .busy: .notTheOrigins(.overloaded(retryAfter: Origin.leastWait))
        }
    }
}

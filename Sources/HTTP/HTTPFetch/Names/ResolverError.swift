/// Why a name has no addresses.
enum ResolverError: Error, Hashable {
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
        case .notFound: .local(.resolutionFailed)
        case .unanswered: .local(.resolutionFailed, isTransient: true)
        case .outOfDescriptors: .local(.outOfDescriptors)
        case .busy: .local(.overloaded(retryAfter: Origin.minRetryAfter))
        }
    }
}

import BoundedCache

/// Failures by key, so that what failed lately is not tried again for the next request (RFC 2308's term).
typealias NegativeCache<Key: Hashable & Sendable> = BoundedCache<Key, PosterError>

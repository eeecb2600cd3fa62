public import Testing

extension TimeLimitTrait.Duration {
    /// A time that only a hanging test reaches. No bound for the work of a test: on a busy machine it waits for those
    /// of other tests, and all together take up to 15 minutes.
    public static var hang: Self { .minutes(30) }
}

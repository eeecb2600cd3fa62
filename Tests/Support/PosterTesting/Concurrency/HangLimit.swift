public import Testing

extension TimeLimitTrait.Duration {
    /// A time that only a test which hangs reaches, also on a busy machine; no bound for what it does.
    public static var hang: Self { .minutes(10) }
}

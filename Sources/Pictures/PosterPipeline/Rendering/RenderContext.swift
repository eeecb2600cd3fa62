/// The parts shared by decodes of arriving originals and by render jobs.
struct RenderContext: Sendable {
    let renderer: VariantRenderer
    let table: SharedRenderTable
    /// Receives retained planes.
    let planes: PlaneCache
    /// Supplies the ladder of retained planes.
    let targets: FrequentRenderTargets
    let counters: PipelineCounters
}

/** A port that every node of the cluster leads on to whatever its endpoint slice says. */
export interface WantedService {
  portName: string
  port: number
  /** Null is any that is free; one that it has is kept. */
  nodePort: number | null
}

/** Where a service leads. */
export interface WantedEndpointSlice {
  service: string
  portName: string
  port: number
  address: string
}

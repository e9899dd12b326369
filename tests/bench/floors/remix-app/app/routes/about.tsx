export default function About() {
  return <main>What a measured service is compared with.</main>;
}
